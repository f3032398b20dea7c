import type { PageInstructions } from './instructions/instruction-case.ts';

/** Freer sentences for our own pages, looked at after the first score: they say what they want without the words on the page. */
export const looseSet: readonly PageInstructions[] = [
  {
    page: 'shop.html',
    cases: [
      { say: 'I would like to buy the espresso cups', element: '#p4-add' },
      { say: 'show plates', element: '#nav-plates' },
      { say: 'look for "tea pot" in the shop', element: '#q', arguments: ['tea pot'], twoStep: true },
      { say: 'save the travel mug as a favourite', element: '#p3-fav' },
    ],
  },
  {
    page: 'orders.html',
    cases: [
      { say: 'give Initech their money back', element: null },
      { say: 'remove order 1042', element: '#d2' },
      { say: 'order the list by date', element: '#sort-date' },
      { say: 'show me only the paid ones', element: '#status', arguments: ['Paid'] },
    ],
  },
  {
    page: 'login.html',
    cases: [
      { say: 'put anna@example.net in as the e-mail address', element: '#user', arguments: ['anna@example.net'] },
      { say: 'use my GitHub account to log in', element: '#github' },
      { say: 'set the site language to French', element: null },
    ],
  },
  {
    page: 'settings.html',
    cases: [
      { say: 'surname should be Hopper', element: '#last', arguments: ['Hopper'] },
      { say: 'I live in Austria', element: '#country', arguments: ['Austria'] },
      { say: 'use the light theme', element: '#t-light' },
      { say: 'start quiet hours at 22:00', element: '#quiet', arguments: ['22:00'] },
    ],
  },
  {
    page: 'menus.html',
    cases: [
      { say: 'click on View in the menu bar', element: '#m-view' },
      { say: 'make it bigger', element: '#zoom-in' },
      { say: 'save the picture as PNG', element: '#x-png' },
    ],
  },
  {
    page: 'tabs.html',
    cases: [
      { say: 'pick the moss green one', element: '#c-green' },
      { say: 'go to the description tab', element: '#tab-desc' },
      { say: 'change the amount to 5', element: '#qty', arguments: ['5'] },
    ],
  },
  {
    page: 'dialog.html',
    cases: [
      { say: 'cancel', element: '#dlg-cancel' },
      { say: 'edit the Gemini project', element: '#g-edit' },
      { say: 'change the project name to Voyager', element: '#dlg-name', arguments: ['Voyager'] },
    ],
  },
  {
    page: 'calendar.html',
    cases: [
      { say: 'choose the 3rd of December 2026', element: '#d-2026-12-03' },
      { say: 'remove one guest', element: '#g-minus' },
      { say: 'book the family apartment', element: '#r3' },
    ],
  },
  {
    page: 'mail.html',
    cases: [
      { say: 'read the message about the password', element: '#m2-open' },
      { say: 'throw away the newsletter', element: '#m5-del' },
      { say: 'show my sent mail', element: '#fo-sent' },
    ],
  },
  {
    page: 'admin.html',
    cases: [
      { say: 'remove Noah from the list', element: '#u3-d' },
      { say: 'change the details of Olivia Brown', element: '#u1-e' },
      { say: 'import users from a file', element: '#import' },
    ],
  },
  {
    page: 'kanban.html',
    cases: [
      { say: 'new card in Done', element: '#add-done' },
      { say: 'move Fix login redirect to Done', element: '#k2', method: 'dragAndDrop' },
    ],
  },
  {
    page: 'media.html',
    cases: [
      { say: 'go back to the previous track', element: '#prev' },
      { say: 'start Lights Out', element: '#s3-play' },
      { say: 'put the playlist on repeat', element: '#repeat' },
    ],
  },
  {
    page: 'checkout.html',
    cases: [
      {
        say: 'ship to 1000 Brussels: fill the shipping city with Brussels',
        element: '#s-city',
        arguments: ['Brussels'],
      },
      { say: 'I want to pick it up in the store', element: '#d-pick' },
      { say: 'billing country is Belgium', element: '#b-country', arguments: ['Belgium'] },
      { say: 'delete the oak tray from the order', element: '#rm2' },
    ],
  },
  {
    page: 'results.html',
    cases: [
      { say: 'tick Casa', element: '#b-casa' },
      { say: 'open the last result', element: '#res4' },
      { say: 'go to results page 2', element: '#p2' },
    ],
  },
  {
    page: 'tree.html',
    cases: [
      { say: 'add a new file', element: '#new-file' },
      { say: 'open index.md', element: '#t-index-md' },
      { say: 'close the src folder', element: '#t-src' },
    ],
  },
  {
    page: 'frames.html',
    cases: [
      { say: 'write Hello into the chat', element: '#chat >> #chat-msg', arguments: ['Hello'] },
      { say: 'say I am very satisfied', element: '#outer >> #fb-score', arguments: ['Very'] },
    ],
  },
  {
    page: 'article.html',
    cases: [
      { say: 'flag the comment by Peter', element: '#c1-flag' },
      { say: 'enter Lena as the commenter name', element: '#c-name', arguments: ['Lena'] },
      { say: 'read the guide to flour', element: '#flour' },
    ],
  },
  {
    page: 'dropdowns.html',
    cases: [
      { say: 'travel with my family', element: '#pax', arguments: ['Family'] },
      { say: 'pay in euro', element: '#cur-eur' },
      { say: 'fly to Oslo', element: null },
    ],
  },
];
