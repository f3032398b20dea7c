import type { PageInstructions } from './instruction-case.ts';

/** A board of three columns with equal buttons and draggable cards. */
export const kanban: PageInstructions = {
  page: 'kanban.html',
  cases: [
    { say: 'add a card to the In progress column', element: '#add-doing' },
    { say: 'add a card under To do', element: '#add-todo' },
    { say: 'open the card Fix login redirect', element: '#k2' },
    { say: 'click the "Upgrade database" card', element: '#k3' },
    { say: 'drag "Write release notes" to the In progress column', element: '#k1', method: 'dragAndDrop' },
    { say: 'archive everything that is done', element: '#clear-done' },
    { say: 'create another list', element: '#add-list' },
    { say: 'share the board', element: '#share' },
    { say: 'turn on swimlanes', element: '#lanes', method: ['check', 'click'] },
    { say: 'double click on Redesign header', element: '#k4', method: 'doubleClick' },
    { say: 'add a card to the Blocked column', element: null },
    { say: 'filter the cards', element: '#filter' },
    { say: 'open the first card in the Done column', element: '#k4' },
  ],
};
