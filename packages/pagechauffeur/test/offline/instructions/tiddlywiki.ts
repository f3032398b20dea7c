import type { PageInstructions } from './instruction-case.ts';

const WELCOME = '[data-tiddler-title="Welcome"]';
const HOURS = '[data-tiddler-title="Opening hours"]';

/** TiddlyWiki: two open notes with equal buttons, a side bar with tabs. */
export const tiddlywiki: PageInstructions = {
  page: 'tiddlywiki',
  cases: [
    { say: 'create a new tiddler', element: 'button[aria-label="new tiddler"]' },
    { say: 'open the control panel', element: 'button[aria-label="control panel"]' },
    { say: 'edit the Opening hours tiddler', element: `${HOURS} button[aria-label="Edit this tiddler"]` },
    { say: 'close the Welcome tiddler', element: `${WELCOME} .tc-tiddler-controls button[aria-label="close"]` },
    { say: 'switch to the Recent tab', element: 'button[data-tab-title$="SideBar/Recent"]' },
    { say: 'follow the link to the reading group', element: `${WELCOME} a[href="#Reading%20group"]` },
    { say: 'hide the sidebar', element: 'button[aria-label="hide sidebar"]' },
    { say: 'close all tiddlers', element: '.tc-sidebar-lists .tc-btn-mini:not([aria-label])' },
    { say: 'search for bestseller', element: 'input[type=search]', arguments: ['bestseller'], twoStep: true },
    { say: 'see what is on the order list', element: `${WELCOME} a[href="#Order%20list"]` },
    { say: 'export the notebook as PDF', element: null },
  ],
};
