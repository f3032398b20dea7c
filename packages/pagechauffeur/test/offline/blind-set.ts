import type { PageInstructions } from './instructions/instruction-case.ts';

/** Sentences for our own pages, written when the model was done. Nothing has been changed for them. */
export const blindSet: readonly PageInstructions[] = [
  {
    page: 'shop.html',
    cases: [
      { say: 'open the red mug', element: '#p2-link' },
      { say: 'put a red mug in my cart please', element: '#p2-add' },
      { say: 'show the sale', element: '#nav-sale' },
      { say: 'choose "Price: high to low" in Sort by', element: '#sort', arguments: ['Price: high to low'] },
      { say: 'compare the mugs', element: null },
    ],
  },
  {
    page: 'orders.html',
    cases: [
      { say: 'check the box in the row of Stark Industries', element: '#c6' },
      { say: 'click the first Edit button', element: '#e1' },
      { say: 'go to page 2', element: '#pg2' },
      { say: 'refund the Umbrella Corp order', element: '#r4' },
      { say: 'delete order 2044', element: null },
    ],
  },
  {
    page: 'login.html',
    cases: [
      { say: 'go to the pricing page', element: '#pricing' },
      { say: 'click the checkbox to keep me logged in', element: '#remember' },
      { say: 'reset my password', element: null },
    ],
  },
  {
    page: 'settings.html',
    cases: [
      { say: 'type Byron into the last name field', element: '#last', arguments: ['Byron'] },
      { say: 'set the font size to 18', element: '#font', arguments: ['18'] },
      { say: 'select UTC as time zone', element: '#tz', arguments: ['UTC'] },
      { say: 'click Discard', element: '#discard' },
      { say: 'turn on the weekly digest', element: '#n-week' },
    ],
  },
  {
    page: 'menus.html',
    cases: [
      { say: 'click New drawing', element: '#f-new' },
      { say: 'use the pen', element: '#tool-pen' },
      { say: 'open the Help menu', element: '#m-help' },
    ],
  },
  {
    page: 'tabs.html',
    cases: [
      { say: 'select the size 41', element: '#s41' },
      { say: 'open the question about where they are made', element: '#q3-s' },
      { say: 'add it to the wish list', element: '#wish' },
    ],
  },
  {
    page: 'dialog.html',
    cases: [
      { say: 'go to the team page', element: '#team' },
      { say: 'delete the Apollo project', element: '#a-del' },
      { say: 'type Mercury as the project name', element: '#dlg-name', arguments: ['Mercury'] },
    ],
  },
  {
    page: 'calendar.html',
    cases: [
      { say: 'click the 15th', element: '#d-2026-12-15' },
      { say: 'reserve the Garden room', element: '#r1' },
      { say: 'type 02/12/2026 in the arrival field', element: '#arrival', arguments: ['02/12/2026'] },
    ],
  },
  {
    page: 'mail.html',
    cases: [
      { say: 'open the quarterly report email', element: '#m1-open' },
      { say: 'report this as spam', element: '#report' },
      { say: 'go to the spam folder', element: '#fo-spam' },
    ],
  },
  {
    page: 'admin.html',
    cases: [
      { say: 'delete Liam Chen', element: '#u2-d' },
      { say: 'go to the dashboard', element: '#n-dash' },
      { say: 'type Max in the name field of the invite form', element: '#i-name', arguments: ['Max'] },
    ],
  },
  {
    page: 'kanban.html',
    cases: [
      { say: 'click Add card in the To do column', element: '#add-todo' },
      { say: 'drag Upgrade database to Done', element: '#k3', method: 'dragAndDrop' },
    ],
  },
  {
    page: 'media.html',
    cases: [
      { say: 'like Neon Road', element: '#s1-like' },
      { say: 'set the volume slider to 55', element: '#volume', arguments: ['55'] },
      { say: 'play the playlist from the beginning', element: null },
    ],
  },
  {
    page: 'checkout.html',
    cases: [
      {
        say: 'fill the street of the billing address with Rue Haute 1',
        element: '#b-street',
        arguments: ['Rue Haute 1'],
      },
      { say: 'choose PayPal', element: '#p-paypal' },
      { say: 'place the order', element: '#pay' },
      { say: 'set the quantity of the blue mug to 2', element: '#q1', arguments: ['2'] },
    ],
  },
  {
    page: 'results.html',
    cases: [
      { say: 'click the second result', element: '#res2' },
      { say: 'show 3 stars and up', element: '#r3' },
      { say: 'go to the maps tab', element: '#t-maps' },
    ],
  },
  {
    page: 'tree.html',
    cases: [
      { say: 'open README.md', element: '#t-readme' },
      { say: 'collapse the docs folder', element: '#t-docs' },
    ],
  },
  {
    page: 'frames.html',
    cases: [
      { say: 'tick "I am not a robot"', element: '#outer >> iframe >> #robot' },
      { say: 'press the Helpful button', element: '#up' },
    ],
  },
  {
    page: 'article.html',
    cases: [
      { say: "report Aisha's comment", element: '#c2-flag' },
      { say: 'go to the recipes', element: '#recipes' },
      { say: 'write "Great!" in the comment box', element: '#comment', arguments: ['Great!'] },
    ],
  },
  {
    page: 'dropdowns.html',
    cases: [
      { say: 'choose Family under passengers', element: '#pax', arguments: ['Family'] },
      { say: 'click Rent a car', element: '#tile-car' },
      { say: 'choose First in the cabin class list', element: '#class', method: 'click', twoStep: true },
    ],
  },
];
