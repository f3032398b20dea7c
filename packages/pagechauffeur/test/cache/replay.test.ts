import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import type { DriverOptions } from '../../src/index.ts';
import type { ModelRequest } from '../../src/model/model-client.ts';
import { CdpProxy } from '../support/cdp-proxy.ts';
import { startDriver, type TestDriver } from '../support/driver-for-test.ts';
import { choose, chooseNothing, useCache } from './cache-bench.ts';

const bench = useCache();
const attached: TestDriver[] = [];
let address = 0;
let path = '';

beforeEach(() => {
  address += 1;
  path = `/page-${address}`;
});

afterAll(async () => {
  for (const { driver } of attached) await driver.close();
});

const HIT = `onclick="(globalThis.hits ??= []).push(this.id || this.dataset.k); document.body.append('hit')"`;

/** Another driver in the same browser, with the page of the test open. */
async function another(options: Partial<DriverOptions>, cdpUrl = bench.driver.connectURL()): Promise<TestDriver> {
  const started = await startDriver({
    llmClient: bench.model,
    cacheDir: bench.folder,
    ...options,
    localBrowserLaunchOptions: { cdpUrl },
  });
  attached.push(started);
  return started;
}

/** What the entry for this test's page says. */
async function entryFile(): Promise<string> {
  for (const name of await readdir(bench.folder)) {
    const file = join(bench.folder, name);
    if ((await readFile(file, 'utf8')).includes(`${path}"`)) return file;
  }
  throw new TypeError(`there is no entry for ${path}`);
}

const MUGS = `<h1>Mugs</h1><div id="list"><div class="card"><h2>Blue mug</h2><button id="blue" ${HIT}>Add</button></div>
  <div class="card"><h2>Red mug</h2><button id="red" ${HIT}>Add</button></div></div>`;

// [spec: driver-options.cacheDir]
test('replays without a model the second time, and logs it', async () => {
  await bench.open(MUGS, path);
  bench.answer = choose({ role: 'button', name: 'Add', nth: 1 });
  const first = await bench.driver.act('add the red mug');
  await bench.open(MUGS, path);
  const metrics = await bench.driver.metrics;
  const again = await bench.driver.act('add the red mug');
  expect(await bench.hits()).toEqual(['red']);
  expect(again).toEqual({ ...first, message: 'Done, cached: click on button "Add". The page changed.' });
  expect(await bench.driver.metrics).toEqual(metrics);
  expect(bench.lines.filter(({ category }) => category === 'act').at(-1)?.message).toContain(
    'Done, cached: click on button "Add"',
  );
  const history = await bench.driver.history;
  expect(history.at(-1)).toMatchObject({ method: 'act', result: { success: true, effect: 'changed' } });
});

test('types a changed variable value and stores neither value', async () => {
  const html = '<form><label>Code <input></label></form>';
  await bench.open(html, path);
  bench.answer = choose({ role: 'textbox', name: 'Code', method: 'fill', arguments: ['%code%'] });
  await bench.driver.act('fill in the code %code%', { variables: { code: 'first-secret' } });
  await bench.open(html, path);
  await bench.driver.act('fill in the code %code%', { variables: { code: 'second-secret' } });
  expect(await bench.page.locator('input').inputValue()).toBe('second-secret');
  const text = await readFile(await entryFile(), 'utf8');
  expect(text).not.toMatch(/first-secret|second-secret/);
  expect(text).toContain('"%code%"');
});

const DROPDOWN = `<button aria-haspopup="listbox" aria-expanded="false" onclick="this.ariaExpanded = 'true';
  setTimeout(() => { list.innerHTML = ['Red', 'Blue'].map((name) => '<div role=option tabindex=-1 onclick=&quot;colour.textContent = this.textContent; list.innerHTML = \\'\\'&quot;>' + name + '</div>').join('') }, 60)">Colour</button>
  <div id="list" role="listbox" aria-label="Colours"></div><p id="colour">none</p>`;

function openThenChoose(request: ModelRequest): object {
  const isOpen = request.messages.some(({ text }) => text.includes('Already done'));
  const choice = isOpen ? { role: 'option', name: 'Blue' } : { role: 'button', name: 'Colour', twoStep: true };
  return choose(choice)(request);
}

test('replays the opening of a dropdown and the choice of an option, also at another place', async () => {
  await bench.open(DROPDOWN, path);
  bench.answer = openThenChoose;
  await bench.driver.act('choose blue');
  for (const html of [DROPDOWN, DROPDOWN.replace("['Red', 'Blue']", "['Blue', 'Green', 'Red']")]) {
    await bench.open(html, path);
    const result = await bench.driver.act('choose blue');
    expect(result.actions).toHaveLength(2);
    expect(await bench.page.locator('#colour').textContent()).toBe('Blue');
  }
});

test('asks the model for the second step if only the first can be replayed', async () => {
  await bench.open(DROPDOWN, path);
  bench.answer = openThenChoose;
  await bench.driver.act('choose blue');
  await bench.open(DROPDOWN.replace("'Blue'", "'Navy blue'"), path);
  const asked = bench.asked;
  bench.answer = choose({ role: 'option', name: 'Navy blue' });
  expect(await bench.driver.act('choose blue')).toMatchObject({ success: true, effect: 'changed' });
  expect(await bench.page.locator('#colour').textContent()).toBe('Navy blue');
  expect(bench.asked - asked).toBe(1);
});

const MOVED = `<h1>Mugs</h1><main><div class="x1"><div><h2>Red mug</h2><p>new</p><button data-k="red" ${HIT}>Add</button></div></div>
  <div class="x2"><div><h2>Blue mug</h2><p>new</p><button data-k="blue" ${HIT}>Add</button></div></div></main>`;

test('logs a heal in one line and replaces the entry', async () => {
  await bench.open(MUGS, path);
  bench.answer = choose({ role: 'button', name: 'Add', nth: 0 });
  await bench.driver.act('add the blue mug');
  await bench.open(MOVED, path);
  const before = bench.lines.length;
  await bench.driver.act('add the blue mug');
  const healed = bench.lines.slice(before).filter(({ message }) => message.startsWith('Healed'));
  expect(healed.map(({ message, level }) => `${level} ${message}`)).toEqual([
    '1 Healed: button "Add" found by name and section; was xpath=/html[1]/body[1]/div[1]/div[1]/button[1], ' +
      'now xpath=/html[1]/body[1]/main[1]/div[2]/div[1]/button[1]',
  ]);
  await bench.open(MOVED, path);
  const after = bench.lines.length;
  await bench.driver.act('add the blue mug');
  expect(await bench.hits()).toEqual(['blue']);
  expect(bench.lines.slice(after).filter(({ message }) => message.startsWith('Healed'))).toEqual([]);
});

test('does not store a heal without effect', async () => {
  const still = (html: string): string => html.replaceAll(HIT, '');
  await bench.open(still(MUGS), path);
  bench.answer = choose({ role: 'button', name: 'Add', nth: 0 });
  await bench.driver.act('add the blue mug');
  const written = await readFile(await entryFile(), 'utf8');
  await bench.open(still(MOVED), path);
  expect(await bench.driver.act('add the blue mug')).toMatchObject({ success: true, effect: 'none-observed' });
  expect(await readFile(await entryFile(), 'utf8')).toBe(written);
});

describe('element in place of the stored one', () => {
  test.each<readonly [title: string, instruction: string, before: string, after: string]>([
    [
      'in another section',
      'delete it',
      `<h2>Drafts</h2><button id="a" ${HIT}>Delete</button>`,
      `<h2>Accounts</h2><button id="b" ${HIT}>Delete</button>`,
    ],
    [
      'on another view at the same URL',
      'delete it',
      `<h1>Draft</h1><button id="a" ${HIT}>Delete</button>`,
      `<h1>Account</h1><button id="b" ${HIT}>Delete</button>`,
    ],
    ['in another row', 'delete the order of Ada', row('1', 'Ada') + row('2', 'Bob'), row('1', 'Bob') + row('2', 'Eve')],
    ['in a card with another heading', 'add the blue mug', MUGS, MUGS.replace('Blue', 'Green')],
    [
      'in the footer',
      'click Help in the navigation',
      `<nav><button id="a" ${HIT}>Help</button></nav>`,
      `<footer><button id="b" ${HIT}>Help</button></footer>`,
    ],
    [
      'that is already expanded',
      'open the filters',
      `<button id="a" aria-expanded="false" ${HIT}>Filters</button>`,
      `<button id="a" aria-expanded="true" ${HIT}>Filters</button>`,
    ],
    [
      'in a new dialog',
      'save',
      `<button id="a" ${HIT}>Save</button>`,
      `<div role="dialog" aria-label="Unsaved"><button id="b" ${HIT}>Save</button></div>`,
    ],
    [
      'at its position after a new look-alike appeared',
      'press the second',
      alike(3),
      `<button id="n" ${HIT}>x</button>${alike(3)}`,
    ],
    [
      'at the same place with another name',
      'save',
      `<button id="a" ${HIT}>Save</button>`,
      `<button id="b" ${HIT}>Delete</button>`,
    ],
    [
      'without a name at another place',
      'press it',
      `<button id="a" ${HIT}></button>`,
      `<p>.</p><button id="b" ${HIT}></button>`,
    ],
    [
      'that is hidden',
      'save',
      `<button id="a" ${HIT}>Save</button>`,
      `<button id="b" style="display: none" ${HIT}>Save</button>`,
    ],
    [
      'that now exists twice',
      'save',
      `<button id="a" ${HIT}>Save</button>`,
      `<p><button id="b" ${HIT}>Save</button></p><p><button id="c" ${HIT}>Save</button></p>`,
    ],
  ])('asks the model instead of clicking an element %s', async (_title, instruction, before, after) => {
    await bench.open(before, path);
    const [, name = ''] = />([^<]*)<\/button>/.exec(before) ?? [];
    bench.answer = choose({ role: 'button', name });
    await bench.driver.act(instruction);
    expect(await bench.hits()).toHaveLength(1);
    await bench.open(after, path);
    const asked = bench.asked;
    bench.answer = chooseNothing;
    expect(await bench.driver.act(instruction)).toMatchObject({ success: false });
    expect(await bench.hits()).toEqual([]);
    expect(bench.asked - asked).toBe(1);
  });
});

describe('a variable for a field without a name', () => {
  const field = (attributes: string): string =>
    `<input ${attributes} onchange="(globalThis.hits ??= []).push(this.type + ' ' + this.value.length)">`;
  const variables = { password: 'Zanzibar-77' };
  const instruction = 'type %password% into the password box';
  const PASSWORD = field('type=password');

  async function learn(): Promise<void> {
    await bench.open(`<title>Log in</title><form>${PASSWORD}<button>Log in</button></form>`, path);
    bench.answer = choose({ role: 'textbox', name: '', method: 'fill', arguments: ['%password%'] });
    await bench.driver.act(instruction, { variables });
  }

  test('is replayed without a model while the field is the same', async () => {
    await learn();
    await bench.open(`<title>Log in</title><form>${PASSWORD}<button>Sign in</button></form>`, path);
    expect(await bench.driver.act(instruction, { variables })).toMatchObject({ success: true });
    expect(await bench.page.locator('input').inputValue()).toBe(variables.password);
  });

  test.each([
    ['has another type', field('type=text')],
    ['is for another purpose', field('type=password autocomplete=one-time-code')],
    ['is beside a field that the instruction mentions', `${PASSWORD}<label>Your password ${PASSWORD}</label>`],
    [
      'is beside a field that the variable names',
      `${PASSWORD}<label>Password for the shop ${field('type=search')}</label>`,
    ],
  ])('is not replayed if the field at its place %s', async (_what, fields) => {
    await learn();
    await bench.open(`<title>Log in</title><form>${fields}<button>Log in</button></form>`, path);
    bench.answer = chooseNothing;
    const asked = bench.asked;
    expect(await bench.driver.act(instruction, { variables })).toMatchObject({ success: false });
    expect(bench.asked - asked).toBe(1);
    expect(await bench.page.evaluate("[...document.querySelectorAll('input')].map((one) => one.value).join('')")).toBe(
      '',
    );
  });
});

function row(number: string, name: string): string {
  return `<table><tr><td>${number}</td><td>${name}</td><td><button id="${name}" ${HIT}>Delete</button></td></tr></table>`;
}

function alike(count: number): string {
  return `<button id="same" ${HIT}>x</button>`.repeat(count);
}

test('replays on several views at one URL', async () => {
  const view = (name: string): string => `<h1>${name}</h1><button id="${name}" ${HIT}>Next</button>`;
  for (const name of ['One', 'Two']) {
    await bench.open(view(name), path);
    bench.answer = choose({ role: 'button', name: 'Next' });
    await bench.driver.act('go on');
  }
  for (const name of ['One', 'Two', 'One']) {
    await bench.open(view(name), path);
    await bench.driver.act('go on');
    expect(await bench.hits()).toEqual([name]);
  }
});

test('finds a row among a thousand after sorting', async () => {
  const table = (numbers: readonly number[]): string =>
    `<table>${numbers.map((number) => `<tr><td>Order ${number}</td><td><button id="o${number}" ${HIT}>Cancel</button></td></tr>`).join('')}</table>`;
  const numbers = Array.from({ length: 1000 }, (_row, index) => index);
  await bench.open(table(numbers), path);
  bench.answer = choose({ role: 'button', name: 'Cancel', nth: 3 });
  await bench.driver.act('cancel order 3');
  await bench.open(table(numbers.toReversed()).replaceAll(' id=', ' data-k='), path);
  await bench.driver.act('cancel order 3');
  expect(await bench.hits()).toEqual(['o3']);
});

test('stores an action during a navigation under the URL of the next page', async () => {
  bench.server.page(path, (_request, response) => {
    setTimeout(
      () => response.setHeader('content-type', 'text/html').end(`<button id="late" ${HIT}>Press</button>`),
      200,
    );
  });
  await bench.open(`<a href="${path}">Go</a><button>Press</button>`, '/start');
  await bench.page.locator('a').click();
  bench.answer = choose({ role: 'button', name: 'Press' });
  await bench.driver.act('press it');
  expect(await bench.hits()).toEqual(['late']);
  expect(await readFile(await entryFile(), 'utf8')).toContain('"press it"');
});

test('asks the model again after an act that found nothing', async () => {
  await bench.open('<p>Nothing here</p>', path);
  bench.answer = chooseNothing;
  for (const call of [1, 2]) {
    const asked = bench.asked;
    expect(await bench.driver.act('buy it')).toMatchObject({ success: false });
    expect(bench.asked - asked, `call ${call}`).toBe(1);
  }
  await expect(entryFile()).rejects.toThrow('there is no entry');
});

test('asks the model when another element covers the stored one', async () => {
  await bench.open(`<button id="a" ${HIT}>Save</button>`, path);
  bench.answer = choose({ role: 'button', name: 'Save' });
  await bench.driver.act('save');
  await bench.open(
    `<button id="a" ${HIT}>Save</button><div style="position: fixed; inset: 0; background: white"><button id="b" ${HIT}>Close</button></div>`,
    path,
  );
  bench.answer = choose({ role: 'button', name: 'Close' });
  await bench.driver.act('save');
  expect(await bench.hits()).toEqual(['b']);
});

// [spec: driver-options.selfHeal]
test('replays only at the stored XPath with `selfHeal: false`', async () => {
  const { driver, page } = await another({ selfHeal: false });
  const show = async (html: string): Promise<void> => {
    bench.server.page(path, `<!doctype html>${html}`);
    await page.goto(bench.server.origin + path, { waitUntil: 'load' });
  };
  await show(MUGS);
  bench.answer = choose({ role: 'button', name: 'Add', nth: 0 });
  await driver.act('add the blue mug');
  const asked = bench.asked;
  await show(MUGS);
  await driver.act('add the blue mug');
  expect(bench.asked - asked).toBe(0);
  await show(MOVED);
  bench.answer = choose({ role: 'button', name: 'Add', nth: 1 });
  await driver.act('add the blue mug');
  expect(bench.asked - asked).toBe(1);
});

test('works with an unusable cache, and logs that once', async () => {
  const file = join(bench.folder, 'file');
  await writeFile(file, '');
  const { driver, page, lines } = await another({ cacheDir: file });
  bench.server.page(path, `<!doctype html>${MUGS}`);
  await page.goto(bench.server.origin + path, { waitUntil: 'load' });
  bench.answer = choose({ role: 'button', name: 'Add', nth: 0 });
  await driver.act('add the blue mug');
  await driver.act('add the blue mug');
  expect(lines.filter(({ category }) => category === 'cache')).toEqual([
    expect.objectContaining({ level: 0, message: expect.stringContaining('Continuing without it.') }),
  ]);
});

test('replays a click on a settled page in two round trips', async () => {
  await using proxy = await CdpProxy.start(bench.driver.connectURL());
  const { driver, page } = await another({}, proxy.url);
  bench.server.page(path, `<!doctype html>${MUGS}`);
  await page.goto(bench.server.origin + path, { waitUntil: 'load' });
  bench.answer = choose({ role: 'button', name: 'Add', nth: 0 });
  await driver.act('add the blue mug');
  proxy.start();
  const { message } = await driver.act('add the blue mug');
  expect(message).toContain('cached');
  expect(proxy.read().sequentialRoundTrips).toBe(2);
  await driver.close();
});

const SWITCH = (isOn: boolean): string =>
  `<h1>Looks</h1><button role="switch" aria-checked="${isOn}" onclick="this.ariaChecked = this.ariaChecked !== 'true'">Dark mode</button>`;

test('replays a toggle click only if the state is the stored one', async () => {
  const isOn = (): Promise<unknown> => bench.page.evaluate('document.querySelector("button").ariaChecked');
  await bench.open(SWITCH(false), path);
  bench.answer = choose({ role: 'switch', name: 'Dark mode' });
  await bench.driver.act('turn on dark mode');
  expect(await isOn()).toBe('true');
  // It is on already, which a model is to judge.
  const asked = bench.asked;
  bench.answer = chooseNothing;
  expect(await bench.driver.act('turn on dark mode')).toMatchObject({ success: false });
  expect([await isOn(), bench.asked - asked]).toEqual(['true', 1]);
  await bench.open(SWITCH(false), path);
  await bench.driver.act('turn on dark mode');
  expect([await isOn(), bench.asked - asked]).toEqual(['true', 1]);
});

test('stores both states of a toggle for an instruction that fits either', async () => {
  await bench.open(SWITCH(false), path);
  bench.answer = choose({ role: 'switch', name: 'Dark mode' });
  const asked = bench.asked;
  for (let time = 0; time < 6; time++) await bench.driver.act('press the dark mode switch');
  expect(await bench.page.evaluate('document.querySelector("button").ariaChecked')).toBe('false');
  expect(bench.asked - asked).toBe(2);
});
