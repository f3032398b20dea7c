import type { PageInstructions } from './instruction-case.ts';

/** A form with every kind of native control. */
export const settings: PageInstructions = {
  page: 'settings.html',
  cases: [
    { say: 'change the first name to Grace', element: '#first', method: ['fill', 'type'], arguments: ['Grace'] },
    { say: 'fill the phone number with +49 30 1234567', element: '#phone', arguments: ['+49 30 1234567'] },
    { say: 'set my date of birth to 1990-12-10', element: '#dob', method: 'fill', arguments: ['1990-12-10'] },
    { say: 'write "I like engines." in the about me box', element: '#about', arguments: ['I like engines.'] },
    { say: 'clear the last name', element: '#last', method: 'fill', arguments: [''] },
    { say: 'choose Germany from the country dropdown', element: '#country', method: 'select', arguments: ['Germany'] },
    { say: 'set the time zone to Europe/Berlin', element: '#tz', method: 'select', arguments: ['Europe/Berlin'] },
    { say: 'set items per page to 50', element: '#perpage', method: 'fill', arguments: ['50'] },
    { say: 'select Italian as a spoken language', element: '#langs', method: 'select', arguments: ['Italian'] },
    { say: 'choose the dark theme', element: '#t-dark' },
    { say: 'turn on push notifications', element: '#n-push' },
    { say: 'enable the weekly digest', element: '#n-week', method: ['check', 'click'] },
    { say: 'uncheck email me about comments', element: '#n-mail', method: ['uncheck', 'click'] },
    { say: 'stop sending me mails about comments', element: '#n-mail', method: ['uncheck', 'click'] },
    { say: 'tick SMS alerts', element: '#n-sms' },
    { say: 'type %old% as the current password', element: '#pw-old', arguments: ['%old%'], variables: ['old'] },
    {
      say: 'enter %secret% in the new password field',
      element: '#pw-new',
      arguments: ['%secret%'],
      variables: ['secret'],
    },
    { say: 'repeat the new password: %secret%', element: '#pw-rep', arguments: ['%secret%'], variables: ['secret'] },
    { say: 'upload me.png as profile picture', element: '#avatar', method: 'upload', arguments: ['me.png'] },
    { say: 'save the changes', element: '#save' },
    { say: 'discard my changes', element: '#discard' },
    { say: 'delete my account', element: '#close-account' },
    { say: 'set the favourite color to #ff0000', element: '#colour', method: 'fill', arguments: ['#ff0000'] },
    { say: 'choose Spain from the country dropdown', element: null },
    { say: 'enter my signature: Ada L.', element: '#signature', arguments: ['Ada L.'] },
    { say: 'connect my bank account', element: null },
  ],
};
