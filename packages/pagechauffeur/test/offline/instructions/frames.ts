import type { PageInstructions } from './instruction-case.ts';

/** Frames in frames, open and closed shadow roots. */
export const frames: PageInstructions = {
  page: 'frames.html',
  cases: [
    {
      say: 'type "My order is late" into the chat message field',
      element: '#chat >> #chat-msg',
      arguments: ['My order is late'],
    },
    { say: 'click Send in the live chat', element: '#chat >> #chat-send' },
    { say: 'end the chat', element: '#chat >> #chat-end' },
    { say: 'submit the feedback', element: '#outer >> #fb-send' },
    {
      say: 'answer Somewhat to how satisfied you are',
      element: '#outer >> #fb-score',
      method: 'select',
      arguments: ['Somewhat'],
    },
    { say: 'confirm that I am not a robot', element: '#outer >> iframe >> #robot', method: ['check', 'click'] },
    { say: 'mark the article as helpful', element: '#up' },
    { say: 'say that the article was not helpful', element: '#down' },
    { say: 'enter "Too short" into the tell us why field', element: '#rate-why', arguments: ['Too short'] },
    { say: 'enter 555-0199 as the telephone number', element: '#cb-phone', arguments: ['555-0199'] },
    { say: 'request a call back', element: '#cb-go' },
    { say: 'view my tickets', element: '#tickets' },
    { say: 'attach a file', element: null },
  ],
};
