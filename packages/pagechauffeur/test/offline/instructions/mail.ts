import type { PageInstructions } from './instruction-case.ts';

/** A mail client: folders, a message grid with icon buttons, a reading pane. */
export const mail: PageInstructions = {
  page: 'mail.html',
  cases: [
    { say: 'write a new email', element: '#compose' },
    { say: 'open the message "Lunch on Friday?"', element: '#m3-open' },
    { say: 'open the mail from IT Support', element: '#m2-open' },
    { say: 'star the email about the quarterly report', element: '#m1-star' },
    { say: 'archive the newsletter', element: '#m5-arch' },
    { say: 'delete the message from Jonas Weber', element: '#m3-del' },
    { say: 'go to the drafts folder', element: '#fo-drafts' },
    { say: 'open the trash', element: '#fo-bin' },
    {
      say: 'search my mail for invoices',
      element: '#mail-q',
      method: ['fill', 'type'],
      arguments: ['invoices'],
      twoStep: true,
    },
    { say: 'reply to everyone', element: '#reply-all' },
    { say: 'forward this message', element: '#forward' },
    { say: 'click Reply', element: '#reply' },
    { say: 'select every message', element: '#sel-all', method: ['check', 'click'] },
    { say: 'download the attachment q3.xlsx', element: '#att' },
    { say: 'refresh the inbox', element: '#refresh' },
    { say: 'open settings', element: '#gear' },
    { say: 'mark the fourth message with a star', element: '#m4-star' },
    { say: 'open the account menu', element: '#me' },
    { say: 'select the message from the newsletter', element: '#m5-c', method: ['check', 'click'] },
    { say: 'reply to the mail from Barack Obama', element: null },
    { say: 'delete the mail from Maria Lopez', element: null },
    { say: 'schedule a meeting', element: null },
  ],
};
