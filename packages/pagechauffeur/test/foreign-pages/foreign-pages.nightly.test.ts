import { existsSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import {
  Driver,
  DriverAbortError,
  DriverInvalidArgumentError,
  DriverTimeoutError,
  type ForeignPage,
  type Page,
} from '../../src/index.ts';
import { ScriptedModel } from '../../src/testing.ts';
import { click, done, step } from '../agent/steps-for-test.ts';
import { startDriver, type TestDriver } from '../support/driver-for-test.ts';
import { deferred } from '../../src/util/deferred.ts';
import { failureOf } from '../support/failure-of.ts';
import { rows } from '../support/nightly-rows.ts';
import type { TestServer } from '../support/serve.ts';
import { useBrowser } from '../support/use-browser.ts';

/** A page of another library, with what each of these libraries can do with it. */
type OtherPage = ForeignPage & {
  title(): Promise<string>;
  goto(url: string): Promise<unknown>;
  close(): Promise<void>;
  on(event: 'dialog', listener: (dialog: OtherDialog) => unknown): unknown;
};

interface OtherDialog {
  accept(text?: string): Promise<void>;
}

interface OtherBrowser extends AsyncDisposable {
  readonly pages: readonly OtherPage[];
  newPage(): Promise<OtherPage>;
  newPrivatePage(): Promise<OtherPage>;
}

interface OtherLibraries {
  readonly connectByLibrary: Readonly<Record<string, (url: string) => Promise<OtherBrowser>>>;
}

const APPS = new URL('../../../../apps/', import.meta.url);
const LIBRARIES = ['Playwright', 'Patchright', 'Puppeteer'];

const areInstalled = LIBRARIES.every((name) => existsSync(new URL(`node_modules/${name.toLowerCase()}-core`, APPS)));

const CLICK_ASK = { selector: 'button', description: 'Ask', method: 'click', arguments: [] };

const browser = useBrowser();
let stranger: TestDriver;

beforeAll(async () => {
  const { server } = browser;
  server.page('/asking', `<button onclick="document.title = prompt('name?')">Ask</button>`);
  server.page('/inner', '<button onclick="this.textContent = \'Inside done\'">Inside</button>');
  server.page(
    '/shop',
    `<title>Shop</title><h1>Mugs</h1><button onclick="document.title = 'Bought'">Buy</button>` +
      `<label>Name <input></label><iframe src="${server.otherOrigin}/inner"></iframe>`,
  );
  stranger = await startDriver();
});

afterAll(() => stranger?.driver.close());

// Patchright's pages are Playwright's.
describe.skipIf(!areInstalled).each(rows(['Playwright', 'Puppeteer'], ['Patchright']))('%s page', (library) => {
  let server: TestServer;
  let driver: Driver;
  let other: OtherBrowser;
  let theirs: OtherPage;

  beforeAll(async () => {
    ({ server, driver } = browser);
    const { connectByLibrary } = (await import(new URL('other-libraries.ts', APPS).href)) as OtherLibraries;
    other = (await connectByLibrary[library]?.(driver.connectURL())) as OtherBrowser;
    theirs = await other.newPage();
    await theirs.goto(`${server.origin}/shop`);
  });

  afterAll(async () => {
    await theirs?.close();
    await other?.[Symbol.asyncDispose]();
  });

  /** Ours for the page that they opened. */
  function ours(): Page {
    const page = driver.context.pages().find((candidate) => candidate.url() === `${server.origin}/shop`);
    if (!page) throw new TypeError('the page is not among ours');
    return page;
  }

  // [spec: page.foreign, act-options.page]
  it('act() clicks in the passed page although another page is active', async () => {
    driver.context.setActivePage(browser.page);
    const result = await driver.act('click Buy', { page: theirs });
    expect(result).toMatchObject({ success: true });
    expect(await theirs.title()).toBe('Bought');
    expect(driver.context.activePage()).toBe(browser.page);
  });

  it('act() replays an action in a cross-origin frame of the passed page', async () => {
    const inside = { selector: 'iframe >> button', description: 'Inside', method: 'click', arguments: [] };
    await driver.act(inside, { page: theirs });
    expect(await ours().locator('iframe >> button').textContent()).toBe('Inside done');
  });

  // [spec: page.foreign, observe-options.page, extract-options.page]
  it('observe() and extract() read the passed page', async () => {
    const found = await driver.observe('the buttons', { page: theirs });
    expect(found.map(({ description }) => description).join()).toContain('Buy');
    expect((await driver.extract({ page: theirs })).pageText).toContain('Mugs');
    expect(await driver.extract('the heading', z.string(), { page: theirs })).toBe('Mugs');
  });

  it('agent.execute() works on the passed page although another page is active', async () => {
    await theirs.goto(`${server.origin}/shop`);
    driver.context.setActivePage(browser.page);
    const model = new ScriptedModel([step(click('Buy')), done('Bought.')]);
    const result = await driver.agent({ model }).execute({ instruction: 'Buy a mug', page: theirs });
    expect(result).toMatchObject({ success: true, actions: [{ url: `${server.origin}/shop` }, { tool: 'done' }] });
    expect(await theirs.title()).toBe('Bought');
  });

  it('act() fills in a variable whose value stays out of the history', async () => {
    await driver.act('fill %name% into the Name field', { page: theirs, variables: { name: 'Ada' } });
    expect(await ours().locator('input').inputValue()).toBe('Ada');
    expect(JSON.stringify(await driver.history)).not.toContain('Ada');
  });

  it('extract() reads the page that init() opened when the library passes it', async () => {
    await browser.page.goto(`${server.origin}/inner`);
    const titles = await Promise.all(
      other.pages.map(async (page) => (await driver.extract({ page })).pageText.includes('Inside')),
    );
    expect(titles).toEqual([true]);
  });

  it('observe() works right after the page opens', async () => {
    const fresh = await other.newPage();
    expect(await driver.observe({ page: fresh })).toEqual([]);
    await fresh.close();
  });

  it('act() works in a page with its own cookies', async () => {
    const hidden = await other.newPrivatePage();
    await hidden.goto(`${server.origin}/shop`);
    expect(await driver.act('click Buy', { page: hidden })).toMatchObject({ success: true });
    expect(await hidden.title()).toBe('Bought');
    await hidden.close();
  });

  it('leaves a dialog to the listener of the page, which may answer late, during act()', async () => {
    const asking = await other.newPage();
    await asking.goto(`${server.origin}/asking`);
    const answer = deferred<void>();
    asking.on('dialog', async (dialog) => {
      await answer.promise;
      await dialog.accept('Ada');
    });
    const acting = driver.act(CLICK_ASK, { page: asking });
    await expect.poll(() => browser.lines.map((line) => line.message).join('\n')).toContain('Left a dialog (prompt)');
    answer.resolve();
    const result = await acting;
    expect(result.message).toContain('name?');
    expect(await asking.title()).toBe('Ada');
    await asking.close();
  });

  it('leaves a dialog to the listener of the page before any call receives the page', async () => {
    const asking = await other.newPage();
    await asking.goto(`${server.origin}/asking`);
    asking.on('dialog', (dialog) => dialog.accept('Grace'));
    const seen = driver.context.pages().find((page) => page.url() === `${server.origin}/asking`);
    await seen?.click('button');
    await expect.poll(() => asking.title()).toBe('Grace');
    await asking.close();
  });

  it('observe() rejects a closed page as an invalid argument', async () => {
    const gone = await other.newPage();
    await gone.close();
    const failure = await failureOf(driver.observe({ page: gone }));
    expect(failure).toBeInstanceOf(DriverInvalidArgumentError);
    expect(failure).toMatchObject({ argument: 'page', message: expect.stringContaining('Pass a page that is open') });
  });

  it('act() rejects a page of another browser and points to connectURL()', async () => {
    const failure = await failureOf(stranger.driver.act('click Buy', { page: theirs }));
    expect(failure).toBeInstanceOf(DriverInvalidArgumentError);
    expect(failure).toMatchObject({ argument: 'page', message: expect.stringContaining('driver.connectURL()') });
    expect(await theirs.title()).toBe('Bought');
  });
});

const OURS = 'data:text/html,<title>Ours</title><button>Go</button>';

/** A session as other libraries hand it out, answered by the test, with what was asked of it. */
class RecordedSession {
  readonly calls: string[] = [];
  readonly #answer: () => Promise<string>;

  constructor(answer: () => Promise<string>) {
    this.#answer = answer;
  }

  async send(method: string): Promise<{ targetInfo: { targetId: string } }> {
    this.calls.push(method);
    return { targetInfo: { targetId: await this.#answer() } };
  }

  detach(): Promise<void> {
    this.calls.push('detach');
    return Promise.resolve();
  }
}

const kinds: readonly [kind: string, make: (session: RecordedSession) => ForeignPage][] = [
  ['createCDPSession', (session) => ({ createCDPSession: () => Promise.resolve(session) })],
  ['context().newCDPSession', (session) => ({ context: () => ({ newCDPSession: () => Promise.resolve(session) }) })],
];

describe.each(kinds)('page object with %s', (_kind, make) => {
  beforeAll(async () => void (await browser.page.goto(OURS)));

  it('observe() finds the page by its target, and detaches the session', async () => {
    const session = new RecordedSession(() => Promise.resolve(browser.page.targetId()));
    expect(await browser.driver.observe({ page: make(session) })).toHaveLength(1);
    expect(session.calls).toEqual(['Target.getTargetInfo', 'detach']);
  });

  it('observe() rejects a page whose target is not in this browser, and detaches the session', async () => {
    const session = new RecordedSession(() => Promise.resolve('0123456789ABCDEF0123456789ABCDEF'));
    await expect(browser.driver.observe({ page: make(session) })).rejects.toThrow(
      /^page must be an open page of this driver's browser/,
    );
    expect(session.calls).toEqual(['Target.getTargetInfo', 'detach']);
  });

  it('extract() reports the error of the library for a failed session, and detaches it', async () => {
    const session = new RecordedSession(() => Promise.reject(new TypeError('Session is gone')));
    const failure = await failureOf(browser.driver.extract({ page: make(session) }));
    expect(failure).toBeInstanceOf(DriverInvalidArgumentError);
    expect(failure).toMatchObject({ argument: 'page', message: expect.stringContaining('Session is gone') });
    expect(session.calls).toEqual(['Target.getTargetInfo', 'detach']);
  });

  it('observe() ends at its timeout or signal when the session never answers', async () => {
    const mute = new RecordedSession(() => Promise.withResolvers<string>().promise);
    await expect(browser.driver.observe({ page: make(mute), timeout: 50 })).rejects.toThrow(DriverTimeoutError);
    await expect(browser.driver.observe({ page: make(mute), signal: AbortSignal.timeout(50) })).rejects.toThrow(
      DriverAbortError,
    );
  });
});

describe('invalid `page` option', () => {
  it.each([null, 'page', 5, {}, [], () => undefined, { context: 'default' }])(
    'act(), observe(), extract() and agent.execute() reject %j',
    async (value) => {
      const page = value as unknown as ForeignPage;
      const calls = [
        browser.driver.act('click Go', { page }),
        browser.driver.observe({ page }),
        browser.driver.extract({ page }),
        browser.driver.agent().execute({ instruction: 'click Go', page }),
      ];
      for (const call of calls) {
        expect(await failureOf(call)).toMatchObject({
          name: 'DriverInvalidArgumentError',
          argument: 'page',
          message: expect.stringContaining('Playwright, Puppeteer or Patchright in the same browser'),
        });
      }
    },
  );
});

describe('page of another driver', () => {
  beforeAll(async () => void (await browser.page.goto(OURS)));

  it('observe() reads the page with the same target in the same browser', async () => {
    await using second = new Driver({
      env: 'LOCAL',
      disableLoggerBackend: true,
      localBrowserLaunchOptions: { cdpUrl: browser.driver.connectURL() },
    });
    await second.init();
    const [found] = await second.observe({ page: browser.page });
    expect(found?.description).toContain('Go');
  });

  it('observe() rejects a page in another browser', async () => {
    await expect(stranger.driver.observe({ page: browser.page })).rejects.toThrow(DriverInvalidArgumentError);
    await expect(browser.driver.observe({ page: stranger.page })).rejects.toThrow(/belongs to another browser/);
  });
});
