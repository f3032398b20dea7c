import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startShop } from '../../../../../examples/shop/start-shop.ts';
import { type AgentTask, readJson, type TaskApplication, type TaskPlace } from '../agent-task.ts';
import {
  button,
  check,
  click,
  combobox,
  done,
  download,
  element,
  fill,
  link,
  option,
  select,
  textbox,
} from '../decision.ts';

const searchbox = element('searchbox', 'Search products');
const account = { email: 'ada@example.com', password: 'a long enough one' };

/** Opens the page for signing in, and signs in. */
const signIn: AgentTask['steps'] = [
  [click(link('Sign in'))],
  [fill(textbox('E-mail address'), '%email%'), fill(textbox('Password'), '%password%'), click(button('Sign in'))],
];

/** What the shop knows of its visitor, of some of the things that it knows. */
const state =
  (...names: readonly string[]) =>
  async ({ url }: TaskPlace): Promise<unknown> => {
    const known = await readJson<Record<string, unknown>>(`${url}api/state`);
    return Object.fromEntries(names.map((name) => [name, known[name]]));
  };

const tasks: readonly AgentTask[] = [
  {
    name: 'buys two mugs and has them sent by express',
    instruction:
      'Buy two blue Harbour mugs. Send them by express to Robin Marsh, Quay 4, Portugal, and pay with the card %card%, valid until 11/31, code 737.',
    // The form for the card is in a frame of another site.
    variables: { card: { value: '4000 0566 5566 5556', origins: ['http://localhost:*'] } },
    steps: [
      [click(link('Harbour mug, blue'))],
      [click(button('Increase quantity')), click(button('Add to cart')), click(link('Cart'))],
      [click(link('Go to checkout'))],
      [
        fill(textbox('Full name'), 'Robin Marsh'),
        fill(textbox('Street and number'), 'Quay 4'),
        select(combobox('Delivery speed'), 'Express, tomorrow (€12.90)'),
        click(button('Delivery country')),
      ],
      [
        click(option('Portugal')),
        fill(textbox('Card number'), '%card%'),
        fill(textbox('Expiry date'), '11/31'),
        fill(textbox('Security code'), '737'),
        click(button('Confirm card')),
      ],
      [click(button('Place order'))],
      [done('The order is placed.')],
    ],
    outcome: async (place) => {
      const { orders } = (await state('orders')(place)) as { orders: readonly Record<string, unknown>[] };
      return orders.map(({ lines, delivery, card }) => ({ lines, delivery, card }));
    },
    expected: [
      {
        lines: [{ slug: 'harbour-mug-blue', quantity: 2, giftWrap: false }],
        delivery: { name: 'Robin Marsh', street: 'Quay 4', country: 'Portugal', speed: 'express' },
        card: '5556',
      },
    ],
  },
  {
    name: 'signs in and returns an order',
    instruction: 'Allow only necessary cookies, sign in with %email% and %password%, and return the order TW-20417.',
    variables: account,
    isCompared: true,
    steps: [
      [click(button('Only necessary cookies'))],
      ...signIn,
      [click(link('Your orders'))],
      [click(button('Return', { after: 'TW-20417' }))],
      [done('The order TW-20417 goes back.')],
    ],
    outcome: state('signedInAs', 'returns'),
    expected: { signedInAs: account.email, returns: ['TW-20417'] },
  },
  {
    name: 'downloads the invoice of an order',
    instruction: 'Sign in with %email% and %password%, and download the invoice of the order TW-20961.',
    variables: account,
    steps: [
      ...signIn,
      [click(link('Your orders'))],
      [click(link('Invoice of TW-20961')), download()],
      [done('The invoice is there.')],
    ],
    outcome: async ({ downloads }) => {
      const files = await readdir(downloads);
      const texts = await Promise.all(files.map((file) => readFile(join(downloads, file), 'utf8')));
      return texts.map((text) => text.split('\n')[0]);
    },
    expected: ['Tidewater Goods, invoice TW-20961'],
  },
  {
    name: 'adds three gift-wrapped lamps from the second page to the cart',
    instruction: 'Put three reading lamps into the cart, wrapped as a gift.',
    isCompared: true,
    steps: [
      [click(link('Next page'))],
      [click(link('Reading lamp'))],
      [
        click(button('Increase quantity')),
        click(button('Increase quantity')),
        check(element('checkbox', 'Gift wrap (€3.50)')),
        click(button('Add to cart')),
      ],
      [done('Three lamps are in the cart.')],
    ],
    outcome: state('cart'),
    expected: { cart: [{ slug: 'reading-lamp', quantity: 3, giftWrap: true }] },
  },
  {
    name: 'removes one of two items from the cart',
    instruction: 'Put the Gooseneck kettle and the sand Harbour mug into the cart, then remove the kettle.',
    isCompared: true,
    steps: [
      [
        click(button('Add to cart', { after: 'Gooseneck kettle' })),
        click(button('Add to cart', { after: 'Harbour mug, sand' })),
        click(link('Cart')),
      ],
      [click(button('Remove Gooseneck kettle'))],
      [done('Only the mug is left.')],
    ],
    outcome: state('cart'),
    expected: { cart: [{ slug: 'harbour-mug-sand', quantity: 1, giftWrap: false }] },
  },
  {
    name: 'saves the cheapest product of a department',
    instruction: 'Save the cheapest product of the department Living as a favourite.',
    steps: [
      [click(link('Living'))],
      [select(combobox('Sort by'), 'Price: low to high')],
      [click(button('Save Beeswax candles, pair'))],
      [done('The candles are saved.')],
    ],
    outcome: state('favourites'),
    expected: { favourites: ['beeswax-candles-pair'] },
  },
  {
    name: 'allows necessary cookies and subscribes to the newsletter',
    instruction: 'Allow only necessary cookies, and subscribe %email% to the newsletter.',
    isPlain: true,
    variables: { email: account.email },
    isCompared: true,
    steps: [
      [
        click(button('Only necessary cookies')),
        fill(textbox('Your e-mail for the newsletter'), '%email%'),
        click(button('Subscribe')),
      ],
      [done('Subscribed.')],
    ],
    outcome: state('cookies', 'subscribers'),
    expected: { cookies: 'necessary', subscribers: [account.email] },
  },
  {
    name: 'searches for a product and reads its price',
    instruction: 'How much does the wall clock cost?',
    steps: [
      [fill(searchbox, 'clock', { submit: true })],
      [done('The wall clock costs $1.', /Wall clock[^]*?(€\d+\.\d\d)/)],
    ],
    outcome: ({ message }) => Promise.resolve(message),
    expected: 'The wall clock costs €53.00.',
  },
];

/** Our own shop: a custom dropdown, a frame of another site, a closed shadow root, a table of a thousand orders. */
export const shop: TaskApplication = { name: 'the shop', start: startShop, isPerTask: true, ready: '.cards', tasks };
