// extract(): data of a schema's type, read off the page; the answer is checked, and addresses are the page's own.
import { Driver } from 'pagechauffeur';
import { z } from 'zod';

const list = `<title>Mugs</title><h1>Mugs</h1>
  <table><tr><th>Name<th>Price<tr><td><a href="https://mugs.example/blue">Blue mug</a><td>€ 8.50
  <tr><td><a href="https://mugs.example/red">Red mug</a><td>€ 9.00</table><aside>Advertisement</aside>`;

await using driver = new Driver({ env: 'LOCAL', model: 'offline/lexical', verbose: 0 });
await driver.init();
const [page = await driver.context.newPage()] = driver.context.pages();
await page.setContent(list);

const mugs = z.object({ mugs: z.array(z.object({ name: z.string(), price: z.number().positive(), url: z.url() })) });
const found = await driver.extract('all mugs', mugs, { ignoreSelectors: ['aside'] });
for (const { name, price, url } of found.mugs) console.log(`${name}: ${price.toFixed(2)} at ${url}`);

// The same in one object, of one part of the page.
const price = z.object({ price: z.number() });
const red = await driver.extract({ instruction: 'the price of the red mug', selector: 'table', schema: price });
console.log(`the red mug costs ${red.price}`);

// Without instruction and schema: the page as text, as models read it.
const { pageText } = await driver.extract({ selector: 'h1' });
console.log(pageText);
