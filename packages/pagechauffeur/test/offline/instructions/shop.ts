import type { PageInstructions } from './instruction-case.ts';

/** A shop: cards without table semantics, a search field, a native select, one disabled button. */
export const shop: PageInstructions = {
  page: 'shop.html',
  cases: [
    { say: 'add the blue mug to the cart', element: '#p1-add', method: 'click' },
    { say: 'Click on the shopping cart', element: '#cart' },
    { say: 'search for oak tray', element: '#q', method: 'fill', arguments: ['oak tray'], twoStep: true },
    { say: 'open the product page of the red mug', element: '#p2-link' },
    { say: 'put the espresso cups into the basket', element: '#p4-add' },
    {
      say: 'sort the products by price, cheapest first',
      element: '#sort',
      method: 'select',
      arguments: ['Price: low to high'],
    },
    { say: 'select "Newest" in the sort dropdown', element: '#sort', method: 'select', arguments: ['Newest'] },
    { say: 'go to the vases category', element: '#nav-vases' },
    { say: 'favourite the second product', element: '#p2-fav' },
    {
      say: "type 'me@example.com' into the newsletter field",
      element: '#news',
      method: ['fill', 'type'],
      arguments: ['me@example.com'],
    },
    { say: 'subscribe to the newsletter', element: '#news-go' },
    { say: 'show more products', element: '#more' },
    { say: 'click the add to cart button of Travel mug with lid', element: '#p3-add' },
    { say: 'log in', element: '#account' },
    { say: 'press the magnifying glass', element: '#q-go' },
    { say: 'click "Add to cart"', element: null },
    { say: 'remove the blue mug from the cart', element: null },
    { say: 'how do I return something? open shipping and returns', element: '#f-ship' },
    { say: 'contact the shop', element: '#f-contact' },
    { say: 'open the blog', element: null },
  ],
};
