import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { BrowserTargets } from '../../src/cdp/browser-targets.ts';
import { Connection } from '../../src/cdp/connection.ts';
import type { PageTarget } from '../../src/cdp/page-target.ts';
import { Session } from '../../src/cdp/session.ts';
import type { IncomingMessage, Transport } from '../../src/cdp/transport.ts';
import { openTransport } from '../../src/cdp/web-socket.ts';
import { launchForTest, type TestBrowser } from '../support/launch-for-test.ts';
import { serve, type TestServer } from '../support/serve.ts';

let server: TestServer;
/** Lets every target run as soon as it is there. */
let browser: TestBrowser;
let transport: SlowTransport;
let connection: Connection;
/** Sees the same pages, and is late with what it has to say. */
let targets: BrowserTargets;

/** Of what goes to each session, the browser's own excepted, so many messages pass; the others wait. */
class SlowTransport implements Transport {
  readonly #transport: Transport;
  readonly #sentBySession = new Map<string, number>();
  #held: string[] = [];
  passing = Infinity;
  /** Methods of events that are dropped until the popup has answered with its frames. Other pages have commands that wait too. */
  silent: readonly string[] = [];
  #endOfSilence: number | undefined;

  constructor(raw: Transport) {
    this.#transport = raw;
  }

  set onMessage(listener: (message: IncomingMessage) => void) {
    this.#transport.onMessage = (message) => {
      const { id, method = '' } = JSON.parse(String(message)) as { id?: number; method?: string };
      if (this.silent.includes(method)) return;
      if (id !== undefined && id === this.#endOfSilence) this.silent = [];
      listener(message);
    };
  }

  set onClose(listener: (reason: string) => void) {
    this.#transport.onClose = listener;
  }

  send(message: string): void {
    const { sessionId = '' } = JSON.parse(message) as { sessionId?: string };
    const sent = (this.#sentBySession.get(sessionId) ?? 0) + 1;
    this.#sentBySession.set(sessionId, sent);
    if (sessionId !== '' && sent > this.passing) this.#held.push(message);
    else this.#transport.send(message);
  }

  release(): void {
    const held = this.#held;
    this.#held = [];
    this.passing = Infinity;
    const commands = held.map((message) => JSON.parse(message) as { id: number; method: string });
    this.#endOfSilence = commands.find(({ method }) => method === 'Page.getFrameTree')?.id;
    for (const message of held) this.#transport.send(message);
  }

  close(): void {
    this.#transport.close();
  }
}

beforeAll(async () => {
  server = await serve({ '/': '<title>opener</title>', '/other': '<title>other</title><p>other</p>' });
  browser = await launchForTest();
  transport = new SlowTransport(await openTransport(browser.connection.url));
  connection = new Connection(browser.connection.url, transport);
  targets = new BrowserTargets(connection, {
    viewport: undefined,
    ignoreHTTPSErrors: false,
    sharesFiles: true,
    isRented: false,
    isFresh: false,
  });
  await targets.start();
});

afterAll(async () => {
  transport?.close();
  await browser?.close();
  await server?.close();
});

beforeEach(() => browser.goto(server.origin));

afterEach(() => {
  vi.restoreAllMocks();
});

async function run(script: string): Promise<void> {
  await (await browser.page.frames.main.worlds.main).evaluate(script, null);
}

/** The page that was opened last, of several. */
function popupIn({ pages }: BrowserTargets): PageTarget | undefined {
  return pages.length > 1 ? pages.at(-1) : undefined;
}

/** Lets the next popup run only when the browser has what comes of it from the one who is late. */
function runWhenHeard(): void {
  const { sendRaw } = Session.prototype;
  vi.spyOn(Session.prototype, 'sendRaw').mockImplementation(async function (this: Session, ...command) {
    if (command[0] === 'Runtime.runIfWaitingForDebugger') {
      await expect.poll(() => popupIn(targets)).toBeDefined();
      await connection.browser.send('Browser.getVersion');
    }
    return Reflect.apply(sendRaw, this, command);
  });
}

describe('popup that another client resumes', () => {
  it.each([0, 1, 2, 3, 4, 8])('has its document if only %i commands arrived before', async (passing) => {
    transport.passing = passing;
    await run(`void window.open('${server.otherOrigin}/other')`);
    await expect.poll(() => popupIn(browser.targets)?.frames.main.lifecycle).toContain('load');
    transport.release();
    const popup = popupIn(targets);
    if (!popup) throw new TypeError('the popup is unknown');
    await popup.ready;
    const { main } = popup.frames;
    expect(main.url).toBe(`${server.otherOrigin}/other`);
    expect(await (await main.worlds.isolated).evaluate('document.title', null)).toBe('other');
    await expect.poll(() => main.lifecycle).toContain('DOMContentLoaded');
    await popup.close();
    await expect.poll(() => [browser.targets.pages.length, targets.pages.length]).toEqual([1, 1]);
  });

  it('has its document even if the browser only announced it', async () => {
    transport.passing = 1;
    transport.silent = ['Page.frameNavigated', 'Page.lifecycleEvent', 'Page.frameStoppedLoading'];
    runWhenHeard();
    await run(`void window.open('${server.otherOrigin}/other')`);
    // The empty document before it has a load too.
    await expect.poll(() => popupIn(browser.targets)?.frames.main.url).toBe(`${server.otherOrigin}/other`);
    await expect.poll(() => popupIn(browser.targets)?.frames.main.lifecycle).toContain('load');
    const popup = popupIn(targets);
    if (!popup) throw new TypeError('the popup is unknown');
    await expect.poll(() => popup.frames.main.navigation).toBe('started');
    const came: string[] = [];
    popup.frames.events.on('navigated', ({ url }) => came.push(url));
    transport.release();
    await popup.ready;
    const { main } = popup.frames;
    expect([main.url, main.navigation, came]).toEqual([`${server.otherOrigin}/other`, 'none', [main.url]]);
    expect([...main.lifecycle]).toEqual(expect.arrayContaining(['init', 'DOMContentLoaded', 'load']));
    expect(await (await main.worlds.isolated).evaluate('document.title', null)).toBe('other');
    await popup.close();
    await expect.poll(() => [browser.targets.pages.length, targets.pages.length]).toEqual([1, 1]);
  });
});
