import type { PageInstructions } from './instruction-case.ts';

/** A log-in form with two other ways in. */
export const login: PageInstructions = {
  page: 'login.html',
  cases: [
    {
      say: 'enter %username% in the user name field',
      element: '#user',
      arguments: ['%username%'],
      variables: ['username'],
    },
    {
      say: 'type %password% into the password box',
      element: '#pass',
      arguments: ['%password%'],
      variables: ['password'],
    },
    { say: 'fill in the e-mail with kim@example.org', element: '#user', arguments: ['kim@example.org'] },
    { say: 'sign in', element: '#submit' },
    { say: 'press the log in button', element: '#submit' },
    { say: 'I forgot my password', element: '#forgot' },
    { say: 'click "Forgot your password?"', element: '#forgot' },
    { say: 'stay logged in', element: '#remember', method: ['check', 'click'] },
    { say: 'check the remember me box', element: '#remember', method: ['check', 'click'] },
    { say: 'log in using Google', element: '#google' },
    { say: 'continue with facebook', element: null },
    { say: 'register for a new account', element: '#top-signup', orElse: ['#signup'] },
    { say: 'make the password visible', element: '#reveal' },
    { say: 'switch the language to Deutsch', element: '#lang', method: 'select', arguments: ['Deutsch'] },
    { say: 'read the privacy policy', element: '#privacy' },
    { say: 'sign up for free', element: '#signup' },
    { say: 'enter the one-time code 123456', element: null },
    { say: 'look at the prices', element: '#pricing' },
  ],
};
