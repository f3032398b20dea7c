import { afterAll, beforeAll, expect, test } from 'vitest';
import { useBrowser } from '../support/use-browser.ts';

const browser = useBrowser({ model: 'offline/lexical' });

type Thing = readonly [name: string, price: string];
const THINGS: readonly Thing[] = [
  ['Blue mug', '€12.00'],
  ['Red mug', '€9.50'],
  ['Oak tray', '€30.00'],
  ['Sand mug', '€14.00'],
  ['Brass lamp', '€1,049.00'],
  ['Pine tray', '€22.00'],
];
/** Notes what was done, where the page shows it. */
const NOTE =
  '<p role=status id=said style="position: fixed; bottom: 0"></p><script>function note(what) { said.textContent += what + "; "; }</script>';

function card([name, price]: Thing): string {
  return `<li><h2><a href="#${name}" onclick="note('open ${name}')">${name}</a></h2><p>${price}</p><button onclick="note('add ${name}')">Add to cart</button></li>`;
}

function cartRow([name, price]: Thing): string {
  return `<tr><td>${name}</td><td>${price}</td><td><input type=number aria-label=Quantity value=1 onchange="note('${name} ' + this.value)"></td>
    <td><button onclick="note('remove ${name}')">Remove</button></td></tr>`;
}

const shop = (things: readonly Thing[], more = ''): string =>
  `${NOTE}<h1>Goods</h1><ul>${things.map(card).join('')}</ul>${more}`;
const CART = `${NOTE}<h1>Your cart</h1><table><tr><th>Item</th><th>Price</th><th>Quantity</th><th></th></tr>${THINGS.slice(0, 3).map(cartRow).join('')}</table>
  <label>Voucher code <input onchange="note('voucher ' + this.value)"></label><button onclick="note('apply')">Apply</button>`;
const PRODUCT = `${NOTE}<h1>Blue mug</h1><p>€12.00</p><label>Quantity <input id=many type=number value=1></label>
  <button onclick="note('add ' + many.value)">Add to cart</button>`;
const FLIGHTS = `${NOTE}<h1>Flights</h1><table><tr><th>Airline</th><th>Departs</th><th>Price</th><th></th></tr>${[
  ['Blue Air', '08:10', '210'],
  ['Red Jet', '11:00', '145'],
  ['Gull', '17:45', '320'],
]
  .map(
    ([name, departs, price]) =>
      `<tr><td>${name}</td><td>${departs}</td><td>${price}</td><td><button onclick="note('book ${name}')">Book</button></td></tr>`,
  )
  .join('')}</table>`;

beforeAll(() => {
  const pages = {
    shop: shop(THINGS),
    paged: shop(THINGS, '<a href="#2">Next page</a>'),
    equal: shop([...THINGS, ['Plain mug', '€9.50']]),
    unpriced: shop([...THINGS, ['Plain mug', 'Ask us']]),
    mixed: shop([...THINGS, ['Plain mug', '$3.00']]),
    cart: CART,
    product: PRODUCT,
    flights: FLIGHTS,
  };
  for (const [name, html] of Object.entries(pages)) browser.server.page(`/${name}`, `<!doctype html>${html}`);
});

afterAll(() => browser.page.goto('about:blank'));

/** Has an instruction carried out on a page; what was done, and what was told. */
async function runTask(
  page: string,
  instruction: string,
): Promise<{ said: string; message: string; success: boolean }> {
  await browser.page.goto(`${browser.server.origin}/${page}`);
  const { message, success } = await browser.driver.agent().execute({ instruction, maxSteps: 10 });
  return { said: (await browser.page.locator('#said').textContent()).trim(), message, success };
}

test.each([
  ['shop', 'add the cheapest mug to the cart', 'add Red mug;'],
  ['shop', 'open the most expensive product', 'open Brass lamp;'],
  ['shop', 'add the second cheapest mug to the cart', 'add Blue mug;'],
  [
    'shop',
    'add the tray with the lowest price to the cart, then add the red mug to the cart',
    'add Pine tray; add Red mug;',
  ],
  ['shop', 'add the cheapest mug and the most expensive tray to the cart', 'add Red mug; add Oak tray;'],
  ['shop', 'add two blue mugs to the cart', 'add Blue mug; add Blue mug;'],
  ['shop', 'add a couple of red mugs', 'add Red mug; add Red mug;'],
  ['cart', 'remove the most expensive item', 'remove Oak tray;'],
  ['cart', 'set the quantity of the cheapest item to 4', 'Red mug 4;'],
  ['cart', 'apply the voucher code "SAVE10"', 'voucher SAVE10; apply;'],
  ['cart', 'apply the voucher code "SAVE10", then click Apply', 'voucher SAVE10; apply;'],
  ['product', 'put four blue mugs into the cart', 'add 4;'],
  ['product', 'set the quantity to 3 and add it to the cart', 'add 3;'],
  ['flights', 'book the cheapest flight', 'book Red Jet;'],
])('completes on the page %s: %s', async (page, instruction, said) => {
  expect(await runTask(page, instruction)).toMatchObject({ said, success: true });
});

/** What is not done is said, and nothing is done in its place. */
test.each([
  [
    'paged',
    'add the cheapest mug to the cart',
    'the page may have more items than it shows: it has a link "Next page"',
  ],
  ['equal', 'add the cheapest mug to the cart', '2 items have the same price, 9.5'],
  [
    'unpriced',
    'add the cheapest mug to the cart',
    'the page does not show exactly one price for "Plain mug Ask us Add to cart"',
  ],
  ['mixed', 'add the cheapest mug to the cart', 'the prices are in several currencies'],
  ['shop', 'add the newest mug to the cart', 'without a match: "newest"'],
  ['shop', 'add the second newest mug to the cart', 'without a match: "newest"'],
  ['shop', 'add two mugs to the cart', '3 elements match equally well'],
  ['shop', 'add the mug that is not red to the cart', 'cannot exclude elements, as with "not"'],
  ['shop', 'add the cheapest mug except the red one to the cart', 'cannot exclude elements, as with "except"'],
  [
    'shop',
    'if the blue mug costs more than €10, add the red mug to the cart',
    'does not compare values, as in "more than"',
  ],
  ['shop', 'for each mug, click Add to cart', 'does not repeat steps for several elements'],
  ['cart', 'remove all items but the oak tray', 'cannot exclude elements, as with "but"'],
])('does nothing and gives the reason on the page %s: %s', async (page, instruction, message) => {
  const result = await runTask(page, instruction);
  expect(result).toMatchObject({ said: '', success: false });
  expect(result.message).toContain(message);
});
