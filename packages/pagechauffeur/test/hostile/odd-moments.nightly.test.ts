import { beforeEach, describe, expect, test } from 'vitest';
import { DriverVariableOriginError, type Page } from '../../src/index.ts';
import { failureOf } from '../support/failure-of.ts';
import { rows } from '../support/nightly-rows.ts';
import { useBrowser } from '../support/use-browser.ts';
import { succeeds } from './succeeds.ts';

const browser = useBrowser();
const TEXT = 'q7Wz kJ 4b';
const timeout = 3000;

/** The calls that put `TEXT` into `#field`. */
const CALLS: Readonly<Record<string, (page: Page) => Promise<unknown>>> = {
  fill: (page) => page.locator('#field').fill(TEXT, { timeout }),
  type: (page) => page.locator('#field').type(TEXT, { timeout }),
};

/** What a page can open over a field that gets text. */
const POPUPS: readonly (readonly [what: string, list: string, theft: string])[] = [
  [
    'a select',
    '<select id="list"><option>a</option><option>k</option><option>q</option></select>',
    'list.focus(); list.showPicker()',
  ],
  ['a date input', '<input type="date" id="list" value="2026-01-01">', 'list.focus(); list.showPicker()'],
  [
    'a select without focus',
    '<select id="list"><option>a</option><option>k</option><option>q</option></select>',
    'list.showPicker()',
  ],
];

/** Shows a page with a field, and `#loot` that keeps what it hears. */
async function open(body: string, path = '/shop'): Promise<void> {
  const html = `<!doctype html><title>Shop</title><input id="field"><input id="loot">${body}<script>
    window.heard = '';
    for (const type of ['keydown', 'keypress', 'beforeinput', 'input', 'compositionstart', 'compositionupdate', 'compositionend'])
      loot.addEventListener(type, ({ key = '', data }) => { heard += key + (data ?? ''); });
  </script>`;
  await browser.page.goto(browser.server.page(path, html), { waitUntil: 'load' });
}

function value(selector: string): Promise<string> {
  return browser.page.locator(selector).inputValue();
}

/** Expects that the call leaves `TEXT` in `#field` or, if the page keeps the focus, a beginning of it. */
async function expectWritten(call: Promise<unknown>): Promise<void> {
  const isDone = await succeeds(call, 'LOCATOR', 'TIMEOUT');
  const held = await value('#field');
  expect(held).toBe(isDone ? TEXT : TEXT.slice(0, held.length));
}

describe.each(Object.entries(CALLS))('%s', (name, call) => {
  test('writes only to its field while the page fakes a composition and takes the focus', async () => {
    await open(`<script>
      const tell = (target, type, data) => target.dispatchEvent(new CompositionEvent(type, { data, bubbles: true }));
      field.addEventListener('keydown', () => { tell(field, 'compositionstart', ''); tell(loot, 'compositionstart', 'x'); loot.focus(); });
      field.addEventListener('keyup', () => { tell(field, 'compositionend', 'zz'); });
    </script>`);
    await browser.page.evaluate("heard = ''");
    await expectWritten(call(browser.page));
    expect(await value('#loot')).toBe('');
    expect(String(await browser.page.evaluate('heard')).replaceAll('x', '')).toBe('');
  });

  test('keeps its text out of a composition in another field', async () => {
    await open('');
    const { page } = browser;
    await page.locator('#loot').focus();
    await page.sendCDP('Input.imeSetComposition', { text: 'にほ', selectionStart: 2, selectionEnd: 2 });
    await page.evaluate("heard = ''");
    await call(page);
    expect(await value('#field')).toBe(TEXT);
    expect(await value('#loot')).toBe('にほ');
  });

  test('writes to its field while a composition is in progress there', async () => {
    await open('');
    const { page } = browser;
    await page.locator('#field').focus();
    await page.sendCDP('Input.imeSetComposition', { text: 'にほ', selectionStart: 2, selectionEnd: 2 });
    await call(page);
    expect(await value('#field')).toBe(name === 'fill' ? TEXT : `にほ${TEXT}`);
  });

  test('sends no text to a page that a service worker loads instead', async () => {
    const { page, server } = browser;
    server.page('/worker.js', (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/javascript' });
      response.end(`onactivate = (event) => event.waitUntil(clients.claim());
        onmessage = async ({ source }) => { await (await clients.get(source.id)).navigate('/loaded'); };`);
    });
    server.page(
      '/loaded',
      '<!doctype html><title>Loaded</title><input id="loot" autofocus><script>window.heard = ""; onkeydown = ({ key }) => { heard += key; };</script>',
    );
    await open(`<script>
      let count = 0;
      field.addEventListener('keydown', () => { if (++count === ${name === 'fill' ? 1 : 3}) navigator.serviceWorker.controller.postMessage('load'); });
      window.isReady = navigator.serviceWorker.register('/worker.js').then(() => navigator.serviceWorker.controller
        || new Promise((resolve) => { navigator.serviceWorker.oncontrollerchange = resolve; })).then(() => true);
    </script>`);
    await page.evaluate('isReady');
    await succeeds(call(page), 'LOCATOR', 'TIMEOUT', 'ELEMENT_NOT_FOUND');
    await page.waitForURL('**/loaded');
    expect(await page.evaluate('heard + loot.value')).toBe('');
  });

  test.each(name === 'type' ? POPUPS : rows(POPUPS.slice(0, 1), POPUPS.slice(1)))(
    'keeps the value of a popup of %s that the page opens during input',
    async (_what, list, theft) => {
      await open(`${list}<script>
      field.addEventListener('keydown', () => { try { ${theft}; window.outcome = 'opened'; } catch (error) { window.outcome ??= String(error); } });
    </script>`);
      const before = await browser.page.evaluate('list.value');
      await expectWritten(call(browser.page));
      expect(await browser.page.evaluate('outcome')).toBe('opened');
      expect(await browser.page.evaluate('list.value')).toBe(before);
      await browser.page.evaluate('list.remove()');
    },
  );
});

describe('held modifier', () => {
  const THIEF = `<script>
    loot.value = 'mine';
    setInterval(() => { loot.focus(); loot.select(); }, 5);
    field.addEventListener('keydown', () => { loot.focus(); loot.select(); });
  </script>`;

  test.each(rows(['Control', 'Shift'], ['Alt']))(
    '%s with a key changes no field that takes the focus',
    async (modifier) => {
      await open(THIEF);
      const { page } = browser;
      await page.keyboard.down(modifier);
      try {
        for (const key of ['x', 'Backspace', 'Delete'])
          await succeeds(page.locator('#field').press(key, { timeout: 400 }), 'LOCATOR', 'TIMEOUT');
      } finally {
        await page.keyboard.up(modifier);
      }
      expect(await value('#loot')).toBe('mine');
    },
  );

  test('keyboard.up() releases Shift after the focused field is removed', async () => {
    await open(`<script>field.addEventListener('keydown', () => field.remove());</script>`);
    const { page } = browser;
    await page.locator('#field').focus();
    await page.keyboard.down('Shift');
    await page.keyboard.up('Shift');
    await page.locator('#loot').type('a');
    expect(await value('#loot')).toBe('a');
  });
});

describe('card field of a payment frame', () => {
  const CARD = '4000 0012 3456 7899';
  const pay = { selector: '', description: 'the card number', method: 'fill', arguments: ['%card%'] };

  beforeEach(async () => {
    const { server } = browser;
    server.page(
      '/pay',
      '<!doctype html><title>Pay</title><label>Card number <input id="card" autocomplete="cc-number"></label>',
    );
    await open(`<iframe id="pay" src="${server.otherOrigin}/pay"></iframe><iframe id="copy" src="/pay"></iframe>`);
  });

  test.each(['fill', 'type'])('act() with %s puts a variable only into the frame of its origin', async (method) => {
    const { driver, page, server } = browser;
    const variables = { card: { value: CARD, origins: [server.otherOrigin] } };
    await driver.act({ ...pay, method, selector: '#pay >> #card' }, { variables });
    const frames = await Promise.all(
      page.frames().map((frame) => frame.evaluate('document.querySelector("#card")?.value ?? ""')),
    );
    expect(frames.filter((held) => held !== '')).toEqual([CARD]);
    expect(await page.evaluate('heard + loot.value + field.value')).toBe('');
  });

  test('act() rejects a variable in a frame of another origin and prints the `origins` to set', async () => {
    const { driver, page, server } = browser;
    const variables = { card: { value: CARD, origins: [server.otherOrigin] } };
    const failure = await failureOf(driver.act({ ...pay, selector: '#copy >> #card' }, { variables }));
    expect(failure).toBeInstanceOf(DriverVariableOriginError);
    expect(String(failure)).toContain(`origins: ['${server.otherOrigin}', '${server.origin}']`);
    expect(await page.frames()[2]?.evaluate('card.value')).toBe('');
  });
});
