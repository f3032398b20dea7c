import type { PageInstructions } from './instruction-case.ts';

/** A modal dialog over a page that has buttons of the same names, and a cookie notice. */
export const dialog: PageInstructions = {
  page: 'dialog.html',
  cases: [
    { say: 'accept all cookies', element: '#ck-accept' },
    { say: 'reject the cookies', element: '#ck-reject' },
    { say: 'close the dialog', element: '#dlg-x' },
    { say: 'click Save in the dialog', element: '#dlg-save' },
    { say: 'save', element: '#dlg-save' },
    { say: 'cancel renaming the project', element: '#dlg-cancel' },
    { say: 'rename it to Artemis', element: '#dlg-name', arguments: ['Artemis'] },
    { say: 'make Cho the owner', element: '#dlg-owner', method: 'select', arguments: ['Cho'] },
    { say: 'set owner: Ben', element: '#dlg-owner', method: 'select', arguments: ['Ben'] },
    { say: 'notify the team', element: '#dlg-notify', method: ['check', 'click'] },
    { say: 'manage cookie preferences', element: '#ck-manage' },
    { say: 'delete Gemini', element: '#g-del' },
    { say: 'start a new project', element: '#new' },
    { say: 'press the X', element: '#dlg-x' },
    { say: 'delete the Mercury project', element: null },
  ],
};
