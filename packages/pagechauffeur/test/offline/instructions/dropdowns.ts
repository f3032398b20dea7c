import type { PageInstructions } from './instruction-case.ts';

/** Custom drop-downs, closed and open, and elements that only script makes clickable. */
export const dropdowns: PageInstructions = {
  page: 'dropdowns.html',
  cases: [
    { say: 'choose Business in the cabin class dropdown', element: '#class', method: 'click', twoStep: true },
    {
      say: 'select Munich as the departure city in the From dropdown',
      element: '#from',
      method: 'click',
      twoStep: true,
    },
    { say: 'pick US dollar as the currency', element: '#cur-usd', method: 'click' },
    { say: 'choose swiss franc', element: '#cur-chf', method: 'click' },
    { say: 'type Lisbon in the To field', element: '#to', method: ['fill', 'type'], arguments: ['Lisbon'] },
    { say: 'set passengers to 2 adults', element: '#pax', method: 'select', arguments: ['2 adults'] },
    { say: 'only direct flights', element: '#chip-direct' },
    { say: 'include a checked bag', element: '#chip-bag' },
    { say: 'rent a car', element: '#tile-car' },
    { say: 'find me a hotel', element: '#tile-hotel' },
    { say: 'search for flights', element: '#go' },
    { say: 'swap origin and destination', element: '#swap' },
    { say: 'open the currency list', element: '#currency' },
    { say: 'choose Japanese yen as currency', element: null },
    { say: 'book a train', element: null },
  ],
};
