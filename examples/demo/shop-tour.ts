import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import { formatPrice, PRODUCTS } from '../shop/products.ts';
import { startShop } from '../shop/start-shop.ts';
import { type Expectation, checkOutcome } from './check-outcome.ts';
import type { Passenger } from './passenger.ts';

const EMAIL = 'visitor@tidewater.example';
const CARD_NUMBER = '4000 0566 5566 5556';

/** Goes in and out as variables: no model, log or line of output sees the values. */
const variables = {
  email: EMAIL,
  password: { value: randomBytes(12).toString('base64url'), description: 'the password of the shop' },
  card: { value: CARD_NUMBER, description: 'a card number' },
};

const productList = z.object({
  products: z.array(z.object({ name: z.string(), price: z.number(), url: z.url() })),
});

const receipt = z.object({ orderNumber: z.string(), total: z.string() });

/** Buys two mugs in the bundled shop, sends something back, and asks the shop whether it happened. */
export async function tourShop(passenger: Passenger): Promise<void> {
  const shop = await startShop();
  try {
    await passenger.goto(shop.url);
    await passenger.act('allow only necessary cookies');
    const { products } = await findMugs(passenger);
    await fillCart(passenger);
    await signIn(passenger);
    const order = await checkOut(passenger);
    await sendBack(passenger);
    checkOutcome(await expectations({ shopUrl: shop.url, products, order }));
  } finally {
    await shop.close();
  }
}

async function findMugs(passenger: Passenger): Promise<z.output<typeof productList>> {
  await passenger.observe('the links to the departments');
  await passenger.act('type "mug" into the search field');
  await passenger.act('press the Search button');
  return passenger.extract('all products with name, price and url', productList, ({ products }) => ({
    effect: `${products.length} products`,
    details: products.map(
      ({ name, price, url }) => `${formatPrice(price * 100).padStart(7)}  ${name.padEnd(26)} ${new URL(url).pathname}`,
    ),
  }));
}

async function fillCart(passenger: Passenger): Promise<void> {
  await passenger.act('open the product "Harbour mug, blue"');
  await passenger.act('increase the quantity');
  await passenger.act('check the gift wrap box');
  await passenger.act('add it to the cart');
}

async function signIn(passenger: Passenger): Promise<void> {
  await passenger.act('click the Sign in link');
  await passenger.act('type %email% into the e-mail address field', { variables });
  await passenger.act('type %password% into the password field', { variables });
  await passenger.act('press the Sign in button');
}

async function checkOut(passenger: Passenger): Promise<z.output<typeof receipt>> {
  await passenger.act('go to checkout');
  await passenger.act('fill the full name with "Robin Marsh"');
  await passenger.act('fill the street and number with "Quay 4"');
  await passenger.act('choose Portugal as the delivery country');
  await passenger.act('select Express as the delivery speed');
  await passenger.act('type %card% into the card number field', { variables });
  await passenger.act('fill the expiry date with "11/31"');
  await passenger.act('fill the security code with "737"');
  await passenger.act('confirm the card');
  await passenger.act('place the order');
  const order = await passenger.extract('the order number and the total', receipt, ({ orderNumber, total }) => ({
    effect: `${orderNumber}, ${total}`,
  }));
  await passenger.screenshot('demo-shop');
  return order;
}

async function sendBack(passenger: Passenger): Promise<void> {
  await passenger.act('continue shopping');
  await passenger.runTask('Go to your orders, and return the order TW-20417.');
}

interface Told {
  readonly shopUrl: string;
  readonly products: z.output<typeof productList>['products'];
  readonly order: z.output<typeof receipt>;
}

/** What the shop's own API must say now, beside what was read from the page. */
async function expectations({ shopUrl, products, order }: Told): Promise<readonly Expectation[]> {
  const response = await fetch(`${shopUrl}api/state`);
  const state = (await response.json()) as Readonly<Record<string, never>>;
  const mugs = PRODUCTS.filter(({ name, text, category }) =>
    `${name} ${text} ${category}`.toLowerCase().includes('mug'),
  );
  const listed = mugs.map(({ name, price, slug }) => ({ name, price: price / 100, url: `${shopUrl}products/${slug}` }));
  const placed = {
    number: order.orderNumber,
    lines: [{ slug: 'harbour-mug-blue', quantity: 2, giftWrap: true }],
    delivery: { name: 'Robin Marsh', street: 'Quay 4', country: 'Portugal', speed: 'express' },
    card: CARD_NUMBER.slice(-4),
    total: Math.round(Number(order.total.replaceAll(/[^\d.]/g, '')) * 100),
  };
  return [
    { what: 'the list has each mug with its price and address', expected: listed, actual: products },
    { what: 'only necessary cookies were accepted', expected: 'necessary', actual: state['cookies'] },
    { what: 'the visitor is signed in', expected: true, actual: state['signedInAs'] === EMAIL },
    { what: 'the order is what was asked for and what the page said', expected: [placed], actual: state['orders'] },
    { what: 'the cart is empty again', expected: [], actual: state['cart'] },
    { what: 'one order is on its way back', expected: ['TW-20417'], actual: state['returns'] },
  ];
}
