// The first script of the README: opens a page, does something, reads something.
import { Driver } from 'chauffeur';
import { z } from 'zod';
import { startShop } from './shop/start-shop.ts';

const shop = await startShop();
const driver = new Driver({ env: 'LOCAL', model: 'offline/lexical', verbose: 0 });
await driver.init();

const page = driver.context.pages()[0] ?? (await driver.context.newPage());
await page.goto(shop.url);

await driver.act('add the Gooseneck kettle to the cart');
const { count } = await driver.extract('how many things the cart holds', z.object({ count: z.number() }));
console.log(`In the cart: ${count}`);

await driver.close();
await shop.close();
