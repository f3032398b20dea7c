// A platform and a driver that rents a browser from it. Here both run in one program; in earnest the platform is
// started by `npx pagechauffeur-platform` on another machine, and drivers know its address and their key.
import { Driver } from 'pagechauffeur';
import { startPlatform } from 'pagechauffeur-platform';
import { z } from 'zod';
import { startShop } from '../shop/start-shop.ts';

const shop = await startShop();
// Pages reach the network outwards only; the shop is on this machine.
await using platform = await startPlatform({
  database: ':memory:',
  port: 0,
  warm: 0,
  logLevel: 'silent',
  // For this example only: without a sandbox, a page that breaks out of its browser can read the store.
  allowNoSandbox: true,
  allowNetworks: ['127.0.0.1'],
});
console.log(`The platform listens at ${platform.url}`);

const rented = {
  env: 'REMOTE',
  remoteBaseURL: platform.url,
  apiKey: platform.firstKey ?? '',
  model: 'offline/lexical',
  disableLoggerBackend: true,
  remoteSessionCreateParams: { viewport: { width: 1280, height: 720 }, metadata: { order: '17' } },
} as const;
const driver = new Driver(rented);
await driver.init();
console.log(`To look on: ${driver.remoteSessionURL?.replace(/#.*/, '#…')}`);

const [page = await driver.context.newPage()] = driver.context.pages();
await page.goto(shop.url);
for (const time of ['first', 'second']) {
  const { cacheStatus, effect } = await driver.act('add the Gooseneck kettle to the cart');
  console.log(`The ${time} time: ${effect}, cache ${cacheStatus}`);
  await page.goto(shop.url);
}

// Another driver resumes the same browser, for example after a program ended without closing it.
const successor = new Driver({
  ...rented,
  remoteSessionCreateParams: {},
  remoteSessionID: driver.remoteSessionID ?? '',
});
await successor.init();
await successor.act('open the cart');
const cart = z.object({ lines: z.array(z.object({ article: z.string(), quantity: z.number() })) });
const { lines } = await successor.extract('the lines of the cart with article and quantity', cart);
for (const { article, quantity } of lines) console.log(`In the cart: ${quantity} × ${article}`);

await driver.close();
await successor.close();
await shop.close();
