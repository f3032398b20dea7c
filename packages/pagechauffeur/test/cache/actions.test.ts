import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Action, DriverOptions } from '../../src/index.ts';
import type { ModelRequest } from '../../src/model/model-client.ts';
import { startDriver, type TestDriver } from '../support/driver-for-test.ts';
import { failureOf } from '../support/failure-of.ts';
import { choose, chooseNothing, nthRef, useCache } from './cache-bench.ts';

const bench = useCache();
const started: TestDriver[] = [];
const folders: string[] = [];
let address = 0;
let path = '';

beforeEach(() => {
  address += 1;
  path = `/page-${address}`;
});

afterEach(async () => {
  for (const { driver } of started.splice(0)) await driver.close();
});

afterAll(async () => {
  for (const folder of folders) await rm(folder, { recursive: true, force: true });
});

/** Another driver in the same browser, as another run would have it, and how it shows the page of the test. */
async function run(options: Partial<DriverOptions>): Promise<TestDriver & { open(html: string): Promise<void> }> {
  const other = await startDriver({
    llmClient: bench.model,
    ...options,
    localBrowserLaunchOptions: { cdpUrl: bench.driver.connectURL() },
  });
  started.push(other);
  const page = await other.driver.context.newPage();
  const open = async (html: string): Promise<void> => {
    await page.goto(bench.server.page(path, `<!doctype html>${html}`), { waitUntil: 'load' });
  };
  return { ...other, page, open };
}

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'chauffeur-actions-'));
  folders.push(folder);
  return folder;
}

function healsIn({ lines }: Pick<TestDriver, 'lines'>): string[] {
  return lines.map(({ message }) => message).filter((message) => message.startsWith('Healed'));
}

const HIT = `onclick="document.title += this.dataset.k; document.body.append('hit')"`;
const card = (name: string, key: string): string =>
  `<div class="card"><h2>${name}</h2><button data-k="${key}" ${HIT}>Add</button></div>`;
const SHOP = `<h1>Mugs</h1><title></title>${card('Blue mug', 'B')}${card('Red mug', 'R')}`;
const RESORTED = `<h1>Mugs</h1><title></title><main><p>New!</p>${card('Red mug', 'R')}${card('Blue mug', 'B')}</main>`;
const SWAPPED = `<h1>Mugs</h1><title></title>${card('Red mug', 'R')}${card('Blue mug', 'B')}`;

const findAdd = (request: ModelRequest): object => ({
  elements: [
    { ref: nthRef(request, { role: 'button', name: 'Add' }), method: 'click', arguments: [], description: 'Add' },
  ],
});

describe('driver.act() with an action of an earlier call', () => {
  test.each([
    ['no longer matches', RESORTED],
    ['matches another element', SWAPPED],
  ])('clicks the observed element when its selector %s', async (_title, changed) => {
    const { driver, page, open, lines } = await run({});
    await open(SHOP);
    bench.answer = findAdd;
    const [observed] = await driver.observe('the button that adds the blue mug');
    const asked = bench.asked;
    await open(changed);
    const done = await driver.act(structuredClone(observed as Action));
    expect(await page.title()).toBe('B');
    expect(bench.asked).toBe(asked);
    const [now] = done.actions ?? [];
    expect(healsIn({ lines })).toEqual([
      `Healed: button "Add" found by name and section; was ${observed?.selector}, now ${now?.selector}`,
    ]);
    await driver.act(observed as Action);
    expect(await page.title()).toBe('BB');
    expect(healsIn({ lines })).toHaveLength(1);
  });
});

test('replays actions of act() and of observe() without an instruction on a rearranged page', async () => {
  const { driver, page, open } = await run({});
  await open(SHOP);
  bench.answer = choose({ role: 'button', name: 'Add', nth: 1 });
  const { actions: [red] = [] } = await driver.act('add the red mug');
  const [blue] = await driver.observe();
  const asked = bench.asked;
  await open(RESORTED);
  await driver.act(red as Action);
  await driver.act(blue as Action);
  expect(await page.title()).toBe('RB');
  expect(bench.asked).toBe(asked);
});

test('uses the selector if the element is missing or ambiguous', async () => {
  const { driver, page, open, lines } = await run({});
  await open(SHOP);
  const [blue] = await driver.observe();
  for (const html of [
    SHOP.replace('Blue mug', 'Green mug'),
    SHOP.replace('Red mug', 'Blue mug').replace('Blue', 'Gold'),
  ]) {
    await open(html.replace(card('Blue mug', 'R'), card('Blue mug', 'R') + card('Blue mug', 'T')));
    await driver.act(blue as Action);
    expect(await page.title()).toBe('B');
  }
  expect(healsIn({ lines })).toEqual([]);
});

test('uses the selector with `selfHeal: false`', async () => {
  const { driver, page, open } = await run({ selfHeal: false });
  await open(SHOP);
  const [blue] = await driver.observe();
  await open(SWAPPED);
  await driver.act(blue as Action);
  expect(await page.title()).toBe('R');
});

test('recognizes a saved action of an earlier run through the cache', async () => {
  const cacheDir = await newFolder();
  const first = await run({ cacheDir });
  await first.open(SHOP);
  bench.answer = findAdd;
  const [observed] = await first.driver.observe('the button that adds the blue mug');
  const saved = JSON.stringify(observed);
  const asked = bench.asked;
  const next = await run({ cacheDir });
  await next.open(SWAPPED);
  await next.driver.act(JSON.parse(saved) as Action);
  expect(await next.page.title()).toBe('B');
  expect(bench.asked).toBe(asked);
});

const PAY = (id: string): string => `<title></title><h1>Pay</h1><button id="${id}" data-k="P" ${HIT}>Proceed</button>`;
const STALE = { selector: '#pay', description: 'the green one that pays', method: 'click', arguments: [] };

test('stores a heal that had an effect, and replays it without a model', async () => {
  const cacheDir = await newFolder();
  const first = await run({ cacheDir });
  await first.open(PAY('new'));
  bench.answer = choose({ role: 'button', name: 'Proceed' });
  await first.driver.act(STALE);
  expect(healsIn(first)).toEqual([
    'Healed: button "Proceed" found by the model; was #pay, now xpath=/html[1]/body[1]/button[1]',
  ]);
  const asked = bench.asked;
  const next = await run({ cacheDir });
  await next.open(`<p>moved</p>${PAY('newer')}`);
  await next.driver.act(STALE);
  expect(await next.page.title()).toBe('P');
  expect(bench.asked).toBe(asked);
});

test('does not store a heal without effect', async () => {
  const cacheDir = await newFolder();
  const { driver, open } = await run({ cacheDir });
  await open(PAY('new').replace(HIT, ''));
  bench.answer = choose({ role: 'button', name: 'Proceed' });
  expect(await driver.act(STALE)).toMatchObject({ effect: 'none-observed' });
  expect(await readdir(cacheDir)).toEqual([]);
});

test('finds the only matching element by the description, without a model', async () => {
  const { driver, page, open, lines } = await run({});
  await open(SHOP);
  const stale = { selector: 'xpath=/html[1]/body[1]/form[1]/button[3]', method: 'click', arguments: [] };
  const asked = bench.asked;
  const { actions } = await driver.act({ ...stale, description: 'the Add button under "Red mug"' });
  expect(await page.title()).toBe('R');
  expect(bench.asked).toBe(asked);
  expect(healsIn({ lines })).toEqual([
    `Healed: button "Add" found by its description (name, role, and surroundings); was ${stale.selector}, now ${actions?.[0]?.selector}`,
  ]);
  bench.answer = chooseNothing;
  expect(await failureOf(driver.act({ ...stale, description: 'the Add button' }))).toMatchObject({
    name: 'DriverElementNotFoundError',
  });
  expect(bench.asked).toBe(asked + 1);
});

const task = (name: string): string =>
  `<li draggable="true" ondragstart="event.dataTransfer.setData('text', '${name}')">${name}</li>`;
const list = (name: string): string =>
  `<section aria-label="${name}" tabindex="0" style="height: 90px; border: 1px solid" ondragover="event.preventDefault()"
    ondrop="event.preventDefault(); document.title += event.dataTransfer.getData('text') + '>' + this.ariaLabel; document.body.append('dropped')"><p>drop</p></section>`;
const BOARD = `<title></title><ul>${task('Write')}${task('Test')}</ul>${list('Doing')}${list('Done')}`;
const BOARD_MOVED = `<title></title><p>Today</p>${list('Done')}<div>${list('Doing')}</div><ul>${task('Test')}${task('Write')}</ul>`;

describe('drag replay', () => {
  const drag = (request: ModelRequest): object =>
    choose({
      role: 'listitem',
      name: 'Write',
      method: 'dragAndDrop',
      arguments: [nthRef(request, { role: 'region', name: 'Done' })],
    })(request);

  async function learn(): Promise<void> {
    bench.driver.context.setActivePage(bench.page);
    // The browser draws pages in the background once a second.
    await bench.page.bringToFront();
    await bench.open(BOARD, path);
    bench.answer = drag;
    expect(await bench.driver.act('drag Write to Done')).toMatchObject({ effect: 'changed' });
    expect(await bench.page.title()).toBe('Write>Done');
  }

  test('finds the source and the drop target at their old or new place', async () => {
    await learn();
    const asked = bench.asked;
    for (const html of [BOARD, BOARD_MOVED, BOARD_MOVED]) {
      await bench.open(html, path);
      expect(await bench.driver.act('drag Write to Done')).toMatchObject({ success: true, effect: 'changed' });
      expect(await bench.page.title()).toBe('Write>Done');
    }
    expect(bench.asked).toBe(asked);
    const [heal, ...others] = healsIn(bench).filter((line) => line.includes('Write'));
    expect(heal).toMatch(
      /^Healed: listitem "Write" found by name; was xpath=.*; the drop target, region "Done", found by name; was /,
    );
    expect(others).toEqual([]);
  });

  test('finds the source and the drop target after a heal, although the target has new text', async () => {
    const field = (text: string): string =>
      `<textarea aria-label="Note" ondragover="event.preventDefault()" ondrop="event.preventDefault(); document.title = 'dropped'; document.body.append('dropped')">${text}</textarea>`;
    const page = (before: string, text: string): string =>
      `<title></title>${before}<ul>${task('Write')}</ul>${field(text)}`;
    bench.driver.context.setActivePage(bench.page);
    await bench.page.bringToFront();
    await bench.open(page('', ''), path);
    bench.answer = (request) =>
      choose({
        role: 'listitem',
        name: 'Write',
        method: 'dragAndDrop',
        arguments: [nthRef(request, { role: 'textbox', name: 'Note' })],
      })(request);
    await bench.driver.act('drag Write to the note');
    const asked = bench.asked;
    for (const html of [page('<ul></ul><textarea></textarea>', ''), page('<ul></ul><textarea></textarea>', 'Filled')]) {
      await bench.open(html, path);
      await bench.driver.act('drag Write to the note');
      expect(await bench.page.title()).toBe('dropped');
    }
    expect(bench.asked).toBe(asked);
  });

  test('does not drop on another target when the stored one is missing', async () => {
    await learn();
    const asked = bench.asked;
    await bench.open(BOARD.replaceAll('Done', 'Trash'), path);
    bench.answer = chooseNothing;
    expect(await bench.driver.act('drag Write to Done')).toMatchObject({ success: false });
    expect(await bench.page.title()).toBe('');
    expect(bench.asked).toBe(asked + 1);
  });

  test('finds the source and the drop target of a returned action on a rearranged page', async () => {
    await learn();
    bench.answer = drag;
    await bench.open(BOARD, path);
    const { actions: [action] = [] } = await bench.driver.act('drag Write to Done');
    await bench.open(BOARD_MOVED, path);
    await bench.driver.act(action as Action);
    expect(await bench.page.title()).toBe('Write>Done');
  });
});
