// act(): one sentence, one step, and an answer that says what came of it.
import { Driver } from 'pagechauffeur';

const shop = `<title>Mugs</title>
  <table><tr><td>Red mug<td><button onclick="cart.textContent += ' red'">Add</button>
  <tr><td>Blue mug<td><button onclick="cart.textContent += ' blue'">Add</button></table>
  <p id="cart">Cart:</p><button>Print</button>`;

await using driver = new Driver({ env: 'LOCAL', model: 'offline/lexical', verbose: 0 });
await driver.init();
const [page = await driver.context.newPage()] = driver.context.pages();
await page.setContent(shop);

// Two buttons are called the same: the sentence says which.
const added = await driver.act('press Add in the row of the blue mug');
console.log(`${added.success}, ${added.effect}: ${await page.locator('#cart').textContent()}`);

// What was done can be done again, without a model.
const [action] = added.actions ?? [];
if (action) console.log(`again: ${(await driver.act(action)).effect}`);

// A click that changes nothing says so.
console.log(`print: ${(await driver.act('click Print')).effect}`);

// What the page does not offer is not replaced by something else.
const missing = await driver.act('click "Check out"');
console.log(`${missing.success}: ${missing.message}`);
