import type { PageInstructions } from './instruction-case.ts';

/** A form of web components, each with its own shadow root. */
export const shoelace: PageInstructions = {
  page: 'shoelace',
  cases: [
    { say: 'enter Mira Holt as the name', element: 'sl-input[name=name] >> input', arguments: ['Mira Holt'] },
    {
      say: 'type mira@example.com in the e-mail field',
      element: 'sl-input[name=email] >> input',
      arguments: ['mira@example.com'],
    },
    {
      say: 'fill the password with %secret%',
      element: 'sl-input[name=password] >> input',
      arguments: ['%secret%'],
      variables: ['secret'],
    },
    {
      say: 'choose Hand building from the course dropdown',
      element: 'sl-select[name=course] >> [role=combobox]',
      method: 'click',
      twoStep: true,
    },
    { say: 'pick the morning', element: 'sl-radio[value=morning]' },
    { say: 'set people to 4', element: 'sl-range >> input', arguments: ['4'] },
    { say: 'send me a reminder', element: 'sl-switch >> input' },
    { say: 'confirm that I know that clay stains', element: 'sl-checkbox >> input' },
    {
      say: 'write "I am left-handed" under anything we should know',
      element: 'sl-textarea >> textarea',
      arguments: ['I am left-handed'],
    },
    { say: 'book', element: 'sl-button[type=submit] >> button' },
    { say: 'clear the form', element: 'sl-button[type=reset] >> button' },
    { say: 'go to the members page', element: 'a[href="/members.html"]' },
    { say: 'pay by invoice', element: null },
  ],
};
