import { beforeAll, describe, expect, it } from 'vitest';
import type { Page } from '../../src/index.ts';
import { oddPages } from '../odd-pages/odd-page.ts';
import { DIFFERENCES, REMEMBER, WITNESS } from './what-a-page-sees.ts';

const odd = oddPages({ defaultTimeout: 15_000 });

const BODY = `<main><h1>Shop</h1><p id="note">Two mugs</p><button id="buy">Buy</button><label>Name <input id="name"></label>
  <input id="count" type="number"><select id="size"><option>S<option>M</select><label><input type="checkbox" id="gift"> Gift</label><a href="#more" id="link">More</a>
  <div style="height: 3000px"></div><button id="low">Low</button><div id="host"></div><div id="closed"></div><iframe srcdoc="<button>Inside</button>" width="200" height="60"></iframe></main>
  <script>document.getElementById('host').attachShadow({ mode: 'open' }).innerHTML = '<button id="open-part">Open part</button>';
    document.getElementById('closed').attachShadow({ mode: 'closed' }).innerHTML = '<button id="closed-part">Closed part</button>'; scrollTo(0, 0)</script>`;

interface Witness {
  readonly records: string[];
  readonly events: string[];
  readonly console: string[];
  readonly touched: string[];
}

async function witness(): Promise<Witness> {
  // Past everything that our own `evaluate` does, which the page may see: its script is the user's.
  const answer = await odd.page.sendCDP('Runtime.evaluate', { expression: 'witness', returnByValue: true });
  return (answer as { result: { value: Witness } }).result.value;
}

type Look = readonly [what: string, look: (page: Page) => Promise<unknown>];

/** What only looks: nothing at all may come of it in the page. */
const looks: readonly Look[] = [
  ['snapshot', (page) => page.snapshot()],
  ['snapshot of a part', (page) => page.snapshot({ selector: 'main', ignoreSelectors: ['p'] })],
  ['extract', () => odd.driver.extract()],
  ['observe', () => odd.driver.observe()],
  ['count by role', (page) => page.locator('role=button').count()],
  ['textContent in an open shadow root', (page) => page.locator('#open-part').textContent()],
  ['textContent in a closed shadow root', (page) => page.locator('#closed-part').textContent()],
  ['textContent in a frame', (page) => page.locator('iframe >> button').textContent()],
  ['waitForSelector', (page) => page.waitForSelector('text=Two mugs')],
  ['waitForSelector without a match', (page) => page.waitForSelector('#never', { timeout: 150 }).catch(() => null)],
  [
    'click without a match',
    (page) =>
      page
        .locator('#never')
        .click({ timeout: 150 })
        .catch(() => null),
  ],
  ['screenshot', (page) => page.screenshot()],
];

/** What reads of one element, or counts those of a selector. */
const reads: readonly Look[] = [
  ['content', (page) => page.content()],
  ['title', (page) => page.title()],
  ['count', (page) => page.locator('button').count()],
  ['count by XPath', (page) => page.locator('xpath=//button').count()],
  ['textContent', (page) => page.locator('#note').textContent()],
  ['innerText', (page) => page.locator('main').innerText()],
  ['innerHtml', (page) => page.locator('main').innerHtml()],
  ['inputValue', (page) => page.locator('#name').inputValue()],
  ['getAttribute', (page) => page.locator('#link').getAttribute('href')],
  ['isVisible', (page) => page.locator('#buy').isVisible()],
  ['isChecked', (page) => page.locator('#gift').isChecked()],
  ['isEnabled', (page) => page.locator('#buy').isEnabled()],
  ['isEditable', (page) => page.locator('#name').isEditable()],
  ['boundingBox', (page) => page.locator('#buy').boundingBox()],
];

async function openWitness(): Promise<void> {
  await odd.open(WITNESS + BODY);
  await odd.page.evaluate(REMEMBER);
}

/** What the page knows before and after a look, and where it then differs from its portrait. */
async function around(look: Look[1]): Promise<{ before: Witness; after: Witness; differences: unknown }> {
  const before = await witness();
  await look(odd.page);
  const after = await witness();
  return { before, after, differences: await odd.page.evaluate(DIFFERENCES) };
}

describe('read-only call', () => {
  it.each(looks)('%s leaves no trace in the page', async (_what, look) => {
    await openWitness();
    const { before, after, differences } = await around(look);
    expect(after).toEqual(before);
    expect(differences).toEqual([]);
  });

  describe('on one page', () => {
    beforeAll(openWitness);

    it.each(reads)('%s leaves no trace in the page', async (_what, look) => {
      const { before, after, differences } = await around(look);
      expect(after).toEqual(before);
      expect(differences).toEqual([]);
    });
  });
});

/** What acts: the page sees what a person's hand would cause, and nothing else. */
const actions: readonly (readonly [what: string, action: (page: Page) => Promise<unknown>])[] = [
  ['click', (page) => page.locator('#buy').click()],
  ['click below the fold', (page) => page.locator('#low').click()],
  ['click in a closed shadow root', (page) => page.locator('#closed-part').click()],
  ['click in a frame', (page) => page.locator('iframe >> button').click()],
  ['dblclick', (page) => page.locator('#buy').dblclick()],
  ['hover', (page) => page.locator('#buy').hover()],
  ['fill', (page) => page.locator('#name').fill('Ada')],
  ['type', (page) => page.locator('#name').type('Ada')],
  ['press', (page) => page.locator('#name').press('Tab')],
  ['check', (page) => page.locator('#gift').check()],
  ['select', (page) => page.locator('#size').selectOption('M')],
  ['fill a number', (page) => page.locator('#count').fill('3')],
  ['focus', (page) => page.locator('#name').focus()],
  ['act', () => odd.act('#buy')],
  ['act on a field', () => odd.act('#name', 'fill', 'Ada')],
];

describe('input call', () => {
  it.each(actions)('%s causes only trusted events in the page', async (_what, action) => {
    await openWitness();
    const seen = await witness();
    await action(odd.page);
    const { events, ...rest } = await witness();
    expect(rest).toMatchObject({
      records: seen.records,
      console: seen.console,
      touched: seen.touched,
    });
    expect(events.filter((event) => event.startsWith('unasked'))).toEqual([]);
    expect(events.filter((event) => event.endsWith('false'))).toEqual([]);
    expect(await odd.page.evaluate(DIFFERENCES)).toEqual([]);
  });
});

describe('page that looks for a driver', () => {
  it('finds no driver name on the globals of any frame', async () => {
    await odd.open(
      `<script>window.early = Object.getOwnPropertyNames(window).join()</script><iframe></iframe><iframe srcdoc="<p>Inside</p>"></iframe>`,
    );
    await odd.page.snapshot();
    const names = await odd.page.evaluate(
      `[early, ...[window, ...Array.from(frames)].map((one) => Object.getOwnPropertyNames(one).join())].join()`,
    );
    expect(names).toContain('requestAnimationFrame');
    expect(names).not.toMatch(/chauffeur|playwright|puppeteer|cdc_|__driver/i);
  });

  it('finds the same built-in methods in a new frame as in its own window', async () => {
    await odd.open(BODY);
    await odd.page.snapshot();
    const differences = await odd.page.evaluate(`(() => {
      const frame = document.createElement('iframe');
      document.body.append(frame);
      const describe = (where, name) => Object.entries(Object.getOwnPropertyDescriptors(where[name].prototype))
        .map(([key, { get, value }]) => key + String(get) + String(value)).join();
      return ['Array', 'Element', 'Node', 'Document', 'Promise', 'EventTarget', 'MutationObserver', 'HTMLElement', 'Function', 'Object', 'Event']
        .filter((name) => describe(window, name) !== describe(frame.contentWindow, name));
    })()`);
    expect(differences).toEqual([]);
  });

  it('sees no access to traps and getters of logged objects', async () => {
    await odd.open(BODY);
    const heard = await odd.page.evaluate(`(() => {
      const told = [];
      const trap = (name) => ({ ownKeys: () => (told.push(name + ' keys'), []), getPrototypeOf: () => (told.push(name + ' prototype'), null) });
      console.debug({ get secret() { told.push('getter'); return 1; } });
      console.debug(new Proxy({}, trap('proxy')));
      console.debug(Object.create(new Proxy({}, trap('inherited'))));
      const error = new Error('x');
      Object.defineProperty(error, 'stack', { get() { told.push('stack'); return ''; } });
      console.debug(error);
      const element = document.createElement('div');
      Object.defineProperty(element, 'id', { get() { told.push('id'); return ''; } });
      console.debug(element);
      return told;
    })()`);
    expect(heard).toEqual([]);
  });

  it('is visible and focused, and `navigator.webdriver` is true', async () => {
    await odd.open(BODY);
    expect(await odd.page.evaluate('[document.visibilityState, document.hasFocus(), navigator.webdriver]')).toEqual([
      'visible',
      true,
      true,
    ]);
  });

  it('finds no driver code in the stack of a click handler', async () => {
    await odd.open(
      `<button onclick="window.stack = new Error().stack; window.trusted = event.isTrusted; window.path = event.composedPath().length">Buy</button>`,
    );
    await odd.page.locator('button').click();
    expect(await odd.page.evaluate('[stack.split("\\n").length, trusted, path]')).toEqual([2, true, 5]);
  });
});

/** Logs what a console that somebody listens to looks at, and counts how often it was looked at. */
const LOGS = `let looks = 0;
  const logAll = () => {
    const prepare = Error.prepareStackTrace;
    Error.prepareStackTrace = () => { looks += 1; return ''; };
    for (const name of ['debug', 'log', 'error', 'table', 'dir', 'trace']) console[name](new TypeError('seen?'));
    Error.prepareStackTrace = prepare;
    return looks;
  };
  logAll();`;

/** A page that logs, in itself, in a frame of its own site, in one of another, and in a worker. */
async function openLoggingPage(): Promise<void> {
  const { server, page } = odd;
  const logging = `<script>${LOGS}</script><button>Inside</button>`;
  server.page('/logs', logging);
  server.page('/logs.js', (_request, response) => {
    response.writeHead(200, { 'content-type': 'text/javascript' });
    response.end(`${LOGS} onmessage = () => postMessage(logAll());`);
  });
  await odd.open(
    `${logging}<iframe src="/logs"></iframe><iframe src="${server.otherOrigin}/logs"></iframe><script>var worker = new Worker('/logs.js')</script>`,
  );
  await page.waitForFunction('frames.length === 2');
  for (const frame of page.frames()) await frame.waitForSelector('button');
}

/** How often each of them was looked at. */
async function timesLookedAt(): Promise<unknown[]> {
  const inFrames = await Promise.all(odd.page.frames().map((frame) => frame.evaluate('logAll()')));
  const inWorker = await odd.page.evaluate(
    `new Promise((tell) => { worker.onmessage = ({ data }) => tell(data); worker.postMessage(0); })`,
  );
  return [...inFrames, inWorker];
}

describe('page that logs errors', () => {
  it('sees no read of its errors in any frame or worker', async () => {
    await openLoggingPage();
    await odd.page.snapshot();
    for (const frame of odd.page.frames()) await frame.locator('button').click();
    await odd.page.evaluate(() => 1);
    await odd.page.locator('button').evaluate((button) => button);
    expect(await timesLookedAt()).toEqual([0, 0, 0, 0]);
  });

  it('sees reads of its errors only while a console listener exists', async () => {
    await openLoggingPage();
    const heard: string[] = [];
    const listener = (message: { type(): string }): unknown => heard.push(message.type());
    odd.page.on('console', listener);
    const [main, near, far] = (await timesLookedAt()) as number[];
    expect([main, near, far].every((count = 0) => count > 0)).toBe(true);
    expect(heard.length).toBeGreaterThan(0);
    odd.page.off('console', listener);
    expect((await timesLookedAt()).slice(0, 3)).toEqual([main, near, far]);
  });

  it('sees no read of its errors after a pageerror listener is done', async () => {
    await openLoggingPage();
    const waiting = odd.page.waitForEvent('pageerror');
    await odd.page.evaluate(`void setTimeout(() => { throw new RangeError('late') })`);
    expect((await waiting).message).toContain('late');
    const before = await timesLookedAt();
    expect(await timesLookedAt()).toEqual(before);
  });
});

describe('script of page.evaluate()', () => {
  it.each<[string, string | (() => unknown)]>([
    ['an expression', 'stackHere()'],
    ['a function', (): unknown => (globalThis as unknown as { stackHere(): unknown }).stackHere()],
  ])('sees no driver code in its stack: %s', async (_what, script) => {
    await odd.open(`<script>function stackHere() { return new Error().stack }</script>`);
    expect(await odd.page.evaluate(script)).not.toMatch(/chauffeur|driver|node:|file:|evaluate/i);
  });
});
