// Runs the shop until it is stopped, to look at it in a browser of your own: node examples/shop/serve.ts
import { startShop } from './start-shop.ts';

const shop = await startShop();
process.stdout.write(`The shop is open: ${shop.url}\nWhat visitors did: ${shop.url}api/state\n`);
