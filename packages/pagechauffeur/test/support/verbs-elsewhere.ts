import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import type { Driver, Page } from '../../src/index.ts';
import { type AgentShop, startAgentShop } from '../offline/agent-shop.ts';
import { firstPage } from './driver-for-test.ts';
import { failureOf } from './failure-of.ts';
import { serve, type TestServer } from './serve.ts';
import { testFolder } from './test-folder.ts';

const FORM = `<!doctype html><title>Form</title><h1>Form</h1>
  <label>Name <input id="name"></label><label><input type="checkbox" id="news"> News</label>
  <label>Country <select id="country"><option>France<option>Norway</select></label>
  <label>Letter <input type="file" onchange="this.files[0].text().then((text) => (document.title = text))"></label>
  <button id="save" onclick="document.querySelector('h1').textContent = 'Saved'">Save</button>
  <a href="/more" target="_blank">More</a>
  <table><tr><th>Mug<th>Price<tr><td>Red<td>4<tr><td>Blue<td>5</table>`;
const OUTER = (inner: string): string => `<!doctype html><title>Outer</title><div id="host"></div>
  <iframe src="${inner}" width="600" height="300"></iframe>
  <script>document.getElementById('host').attachShadow({ mode: 'closed' }).innerHTML = '<button onclick="document.title = \\'Ordered\\'">Order</button>';</script>`;

/**
 * Tests of each verb with a browser that is elsewhere, which the built-in model drives. The whole suite of the verbs runs
 * there by `npm run verbs`; these are what every run of all tests has of it.
 */
export function testVerbsElsewhere(driverOf: () => Driver): void {
  let server: TestServer;
  let shop: AgentShop;
  beforeAll(async () => {
    [server, shop] = await Promise.all([serve({ '/': FORM, '/more': '<title>More</title>' }), startAgentShop()]);
    server.page('/outer', OUTER(`${server.otherOrigin}/`));
  });
  afterAll(async () => {
    await server?.close();
    await shop?.server.close();
  });

  async function opened(path: string): Promise<Page> {
    const page = firstPage(driverOf());
    await page.goto(server.origin + path);
    return page;
  }

  it('act fills, chooses, ticks and clicks, with the value of a variable that its model has not seen', async () => {
    const page = await opened('/');
    const driver = driverOf();
    await driver.act('fill %who% into the name', { variables: { who: 'Ada' } });
    await driver.act('choose Norway as the country');
    await driver.act('tick the news');
    expect(await driver.act('click Save')).toMatchObject({ success: true, effect: 'changed' });
    const seen = await page.evaluate(
      "[document.querySelector('#name').value, document.querySelector('#country').value, document.querySelector('#news').checked, document.querySelector('h1').textContent]",
    );
    expect(seen).toEqual(['Ada', 'Norway', true, 'Saved']);
  });

  it('act works in frames of other processes and in closed shadow roots', async () => {
    const page = await opened('/outer');
    await driverOf().act('fill "Grace" into the name');
    expect(await page.frameLocator('iframe').locator('#name').inputValue()).toBe('Grace');
    expect(await driverOf().act('click Order')).toMatchObject({ success: true });
    expect(await page.title()).toBe('Ordered');
  });

  it('act uploads a file of this machine, and tells what it opened', async () => {
    const page = await opened('/');
    const file = join(testFolder(), 'letter.txt');
    await writeFile(file, 'Dear all');
    const [field] = await driverOf().observe('the letter');
    await driverOf().act({ selector: field?.selector ?? '', description: '', method: 'upload', arguments: [file] });
    await page.waitForFunction("document.title === 'Dear all'");
    expect(await driverOf().act('click More')).toMatchObject({ success: true, effect: 'opened' });
    const opening = await driverOf().context.awaitActivePage();
    expect(await opening.title()).toBe('More');
    await opening.close();
  });

  it('act carries out what observe found, and fails honestly where nothing fits', async () => {
    const page = await opened('/');
    const [save] = await driverOf().observe('the Save button');
    expect(await driverOf().act(save ?? 'nothing')).toMatchObject({ success: true });
    expect(await page.locator('h1').textContent()).toBe('Saved');
    expect(await driverOf().act('click the Delete button')).toMatchObject({ success: false });
    const missing = { selector: '#none', description: 'nothing', method: 'click', arguments: [] };
    expect(await failureOf(driverOf().act(missing, { timeout: 2000 }))).toBeInstanceOf(Error);
  });

  it('extract reads a table by a schema', async () => {
    await opened('/');
    const schema = z.object({ mugs: z.array(z.object({ mug: z.string(), price: z.number() })) });
    expect(await driverOf().extract('all mugs with their prices', schema)).toEqual({
      mugs: [
        { mug: 'Red', price: 4 },
        { mug: 'Blue', price: 5 },
      ],
    });
  });

  it('an agent logs in, finds its way and brings a download', async () => {
    await firstPage(driverOf()).goto(`${shop.server.origin}/orders`);
    const path = join(testFolder(), 'invoice.pdf');
    const result = await driverOf()
      .agent()
      .execute({
        instruction: `log in with %user% and %password%, open the second order, download its invoice as "${path}"`,
        variables: { user: 'ada@harbour.example', password: 'hunter2!' },
      });
    expect(result).toMatchObject({ success: true, completed: true });
    expect(await readFile(path, 'utf8')).toBe('%PDF-1.4 invoice of 1002');
  });
}
