import type { PageInstructions } from './instruction-case.ts';

/** A user list without table semantics, icon buttons with titles, two forms. */
export const admin: PageInstructions = {
  page: 'admin.html',
  cases: [
    { say: 'edit Liam Chen', element: '#u2-e' },
    { say: 'delete the user emma@example.com', element: '#u4-d' },
    { say: 'open the more options menu of Noah Silva', element: '#u3-m' },
    { say: 'add a new user', element: '#create' },
    { say: 'show only editors', element: '#role', method: 'select', arguments: ['Editor'] },
    { say: 'filter by role Viewer', element: '#role', method: 'select', arguments: ['Viewer'] },
    { say: 'find the user olivia', element: '#find', arguments: ['olivia'] },
    { say: 'include inactive users', element: '#inactive', method: ['check', 'click'] },
    { say: 'next page', element: '#p-next' },
    { say: 'go to the previous page', element: '#p-prev' },
    { say: 'log out', element: '#logout' },
    { say: 'open the audit log', element: '#n-audit' },
    { say: 'enter Zoe Kim as the name in the invitation form', element: '#i-name', arguments: ['Zoe Kim'] },
    { say: 'type zoe@example.com in the e-mail field', element: '#i-mail', arguments: ['zoe@example.com'] },
    { say: 'in the invite form choose Viewer as role', element: '#i-role', method: 'select', arguments: ['Viewer'] },
    { say: 'send the invite', element: '#i-send' },
    { say: 'delete the third user', element: '#u3-d' },
    { say: 'deactivate Olivia Brown', element: null },
    { say: 'edit the user', element: null },
    { say: 'manage permissions', element: '#n-roles' },
  ],
};
