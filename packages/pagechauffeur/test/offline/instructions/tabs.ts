import type { PageInstructions } from './instruction-case.ts';

/** A product page with tabs, toggle buttons, disclosures and an accordion. */
export const tabs: PageInstructions = {
  page: 'tabs.html',
  cases: [
    { say: 'open the Reviews tab', element: '#tab-rev' },
    { say: 'show the specifications', element: '#tab-spec' },
    { say: 'choose size 43', element: '#s43' },
    { say: 'select black as the colour', element: '#c-black' },
    { say: 'set quantity to 3', element: '#qty', method: 'fill', arguments: ['3'] },
    { say: 'increase the quantity by one', element: '#plus' },
    { say: 'click the minus button', element: '#minus' },
    { say: 'buy it now', element: '#buy' },
    { say: 'put it on my wishlist', element: '#wish' },
    { say: 'expand "Can I send them back?"', element: '#q2-s' },
    { say: 'collapse the warranty section', element: '#acc-warranty' },
    { say: 'expand delivery times', element: '#acc-ship' },
    { say: 'read how to choose the right size', element: '#q1-s' },
    { say: 'open the care instructions', element: '#care' },
    { say: 'choose size 47', element: null },
    { say: 'make a warranty claim', element: '#claim' },
    { say: 'write a review', element: null },
  ],
};
