import type { PageInstructions } from './instruction-case.ts';

/** A table with sortable headers, a checkbox and three buttons per row, and page links. */
export const orders: PageInstructions = {
  page: 'orders.html',
  cases: [
    { say: 'delete the order of Globex', element: '#d2' },
    { say: 'Click Edit in the row of Umbrella Corp', element: '#e4' },
    { say: 'refund order 1043', element: '#r3' },
    { say: 'tick the checkbox next to Initech', element: '#c3', method: ['check', 'click'] },
    { say: 'select all orders', element: '#all', method: ['check', 'click'] },
    { say: 'open order number 1046', element: '#o6' },
    { say: 'sort the table by customer', element: '#sort-customer' },
    { say: 'sort by total', element: '#sort-total' },
    { say: 'show only shipped orders', element: '#status', method: 'select', arguments: ['Shipped'] },
    { say: 'set the status filter to Cancelled', element: '#status', method: 'select', arguments: ['Cancelled'] },
    { say: 'type Acme into the filter box', element: '#filter', arguments: ['Acme'] },
    { say: 'download the orders as CSV', element: '#export-csv' },
    { say: 'go to the next page', element: '#pg-next' },
    { say: 'go to page 3', element: '#pg3' },
    { say: 'click the last Delete button', element: '#d6' },
    { say: 'click the Refund button in the second row', element: '#r2' },
    { say: 'edit the Acme Labs order', element: '#e5' },
    { say: 'click Delete', element: null },
    { say: 'delete the order of Wayne Enterprises', element: null },
    { say: 'print the invoice for Stark Industries', element: null },
    { say: 'jump to the last page', element: '#pg-last' },
  ],
};
