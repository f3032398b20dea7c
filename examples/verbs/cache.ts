// cacheDir: replays what a model chose, in later runs too, even after the page was rearranged.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Driver } from 'pagechauffeur';

const before = `<title>Mugs</title><button id="b1" onclick="total.textContent = '1 mug'">Add the blue mug</button><p id="total">No mugs</p>`;
const after = `<title>Mugs</title><p id="total">No mugs</p><section><h2>On sale</h2>
  <button class="large" onclick="total.textContent = '1 mug'">Add the blue mug</button></section>`;

const cacheDir = await mkdtemp(join(tmpdir(), 'mugs-cache-'));
for (const html of [before, after]) {
  await using driver = new Driver({ env: 'LOCAL', model: 'offline/lexical', cacheDir, verbose: 0 });
  await driver.init();
  const [page = await driver.context.newPage()] = driver.context.pages();
  await page.route('https://mugs.example/', (route) => route.fulfill({ contentType: 'text/html', body: html }));
  await page.goto('https://mugs.example/');
  const { message } = await driver.act('add the blue mug');
  const { actInferenceTimeMs } = await driver.metrics;
  console.log(`${actInferenceTimeMs > 0 ? 'a model was asked' : 'no model was asked'}: ${message}`);
  console.log(`the page says: ${await page.locator('#total').textContent()}`);
}
await rm(cacheDir, { recursive: true });
