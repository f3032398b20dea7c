// The first script of the README: opens a page, does something, reads something.
import { Driver } from 'pagechauffeur';
import { z } from 'zod';
import { startShop } from './shop/start-shop.ts';

const shop = await startShop();
const driver = new Driver({ env: 'LOCAL', model: 'offline/lexical', verbose: 0 });
await driver.init();

const page = driver.context.pages()[0] ?? (await driver.context.newPage());
await page.goto(shop.url);

await driver.act('add the Gooseneck kettle to the cart');
await driver.act('open the cart');

const cart = z.object({ lines: z.array(z.object({ article: z.string(), quantity: z.number() })) });
const { lines } = await driver.extract('the lines of the cart with article and quantity', cart);
for (const { article, quantity } of lines) console.log(`In the cart: ${quantity} × ${article}`);

await driver.close();
await shop.close();
