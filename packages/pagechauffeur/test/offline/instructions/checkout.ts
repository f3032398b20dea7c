import type { PageInstructions } from './instruction-case.ts';

/** Two address forms with the same field names, radio groups, and a line-item table. */
export const checkout: PageInstructions = {
  page: 'checkout.html',
  cases: [
    {
      say: 'type Alex Doe into the full name field of the shipping address',
      element: '#s-name',
      arguments: ['Alex Doe'],
    },
    { say: 'enter 10115 as the billing zip code', element: '#b-zip', arguments: ['10115'] },
    { say: 'in the billing address, fill in the city with Ghent', element: '#b-city', arguments: ['Ghent'] },
    {
      say: 'select Canada as the country in the shipping address',
      element: '#s-country',
      method: 'select',
      arguments: ['Canada'],
    },
    { say: 'use the same address for billing', element: '#same', method: ['check', 'click'] },
    { say: 'choose express delivery', element: '#d-exp' },
    { say: 'pay with PayPal', element: '#p-paypal' },
    { say: 'choose credit card as the payment method', element: '#p-card' },
    { say: 'put 4111 1111 1111 1111 into the card number field', element: '#cc', arguments: ['4111 1111 1111 1111'] },
    { say: 'enter the CVC 123', element: '#cvc', arguments: ['123'] },
    { say: 'set the expiration date to 04 / 30', element: '#exp', arguments: ['04 / 30'] },
    { say: 'change the quantity of the oak tray to 3', element: '#q2', arguments: ['3'] },
    { say: 'remove the blue mug', element: '#rm1' },
    { say: 'enter coupon SAVE10', element: '#coupon', arguments: ['SAVE10'] },
    { say: 'apply the coupon', element: '#apply' },
    { say: 'agree to the terms and conditions', element: '#agree', method: ['check', 'click'] },
    { say: 'read the terms and conditions', element: '#terms' },
    { say: 'complete the purchase', element: '#pay' },
    { say: 'go back to the basket', element: '#back' },
    { say: 'enter Main Street 5 in the street field', element: null },
    { say: 'pay with bitcoin', element: null },
    { say: 'choose same-day delivery', element: null },
  ],
};
