import type { PageInstructions } from './instruction-case.ts';

/** A booking page: a month grid, a list of rooms with equal buttons, radio buttons. */
export const calendar: PageInstructions = {
  page: 'calendar.html',
  cases: [
    { say: 'pick the 24th of December', element: '#d-2026-12-24' },
    { say: 'click on December 7', element: '#d-2026-12-07' },
    { say: 'select Thursday 31 December 2026', element: '#d-2026-12-31' },
    { say: 'show the next month', element: '#next' },
    { say: 'go back one month', element: '#prev' },
    { say: 'enter 20/12/2026 as the arrival date', element: '#arrival', arguments: ['20/12/2026'] },
    { say: 'fill departure with 27/12/2026', element: '#departure', arguments: ['27/12/2026'] },
    { say: 'add one more guest', element: '#g-plus' },
    { say: 'reserve the attic suite', element: '#r2' },
    { say: 'look at photos of the family apartment', element: '#r3-ph' },
    { say: 'book the first room', element: '#r1' },
    { say: 'choose 4:00 PM as arrival time', element: '#t16' },
    { say: 'check availability', element: '#availability', method: 'click' },
    { say: 'reserve the penthouse', element: null },
    { say: 'reserve a room', element: null },
    { say: 'see pictures of the Garden room', element: '#r1-ph' },
  ],
};
