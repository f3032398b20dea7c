import { describe, expect, it, onTestFinished } from 'vitest';
import { BrowserTargets } from '../../src/cdp/browser-targets.ts';
import { Connection } from '../../src/cdp/connection.ts';
import type { IncomingMessage, Transport } from '../../src/cdp/transport.ts';
import { openTransport } from '../../src/cdp/web-socket.ts';
import { launchForTest, type TestBrowser } from '../support/launch-for-test.ts';
import { serve, type Route } from '../support/serve.ts';

interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly params?: { readonly sessionId?: string; readonly targetInfo?: { readonly type: string } };
}

/** The id of a command that nobody else sends. */
const PROBE = 1_000_000;

/** Notes what goes out and is answered, and may be late with what the browser tells. */
class NotedTransport implements Transport {
  readonly #transport: Transport;
  readonly #methodById = new Map<number, string>();
  /** `sent Fetch.enable`, `answered Fetch.enable` …, on all sessions. */
  notes: string[] = [];
  /** Whether what is told from a shared worker's beginning on waits until its thread is there. */
  isLate = false;
  #held: (() => void)[] | undefined;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  set onMessage(listener: (message: IncomingMessage) => void) {
    this.#transport.onMessage = (text) => {
      const { id, params } = JSON.parse(String(text)) as Message;
      if (id === PROBE) return this.#release();
      if (this.isLate && params?.targetInfo?.type === 'shared_worker') this.#holdUntilThere(params.sessionId);
      const tell = (): void => {
        if (id !== undefined) this.notes.push(`answered ${this.#methodById.get(id)}`);
        listener(text);
      };
      if (this.#held) this.#held.push(tell);
      else tell();
    };
  }

  set onClose(listener: (reason: string) => void) {
    this.#transport.onClose = listener;
  }

  send(text: string): void {
    const { id = 0, method = '' } = JSON.parse(text) as Message;
    this.#methodById.set(id, method);
    this.notes.push(`sent ${method}`);
    this.#transport.send(text);
  }

  close(): void {
    this.#transport.close();
  }

  #holdUntilThere(sessionId: string | undefined): void {
    if (this.#held) return;
    this.#held = [];
    const params = { expression: '1' };
    this.#transport.send(JSON.stringify({ id: PROBE, method: 'Runtime.evaluate', params, sessionId }));
  }

  #release(): void {
    const held = this.#held ?? [];
    this.isLate = false;
    this.#held = undefined;
    for (const tell of held) tell();
  }
}

const PAGES: Readonly<Record<string, Route>> = {
  '/': '<title>page</title>',
  '/asked': 'answer',
  '/worker.js': (_request, response) => response.setHeader('content-type', 'text/javascript').end(`fetch('/asked')`),
};

/** Sees the same pages as another client of the browser does. */
async function attach(browser: TestBrowser) {
  const transport = new NotedTransport(await openTransport(browser.connection.url));
  onTestFinished(() => transport.close());
  const connection = new Connection(browser.connection.url, transport);
  const targets = new BrowserTargets(connection, {
    viewport: undefined,
    ignoreHTTPSErrors: false,
    sharesFiles: true,
    isRented: false,
    isFresh: false,
  });
  await targets.start();
  return { transport, connection, targets };
}

/** Has the requests of `/asked` shown, and gives the addresses of those that were. */
async function watch({ control }: BrowserTargets): Promise<readonly string[]> {
  const shown: string[] = [];
  await control.interception.set(undefined, {
    patterns: ['*/asked'],
    handle: (request, next) => {
      shown.push(request.url);
      next({});
    },
  });
  return shown;
}

describe('shared or service worker', () => {
  // Its way to the network is changed by another way than the one on which it is told to run.
  it.each([
    ['shared', `new SharedWorker('/worker.js')`],
    ['service', `navigator.serviceWorker.register('/worker.js')`],
  ])('starts a %s worker only after its requests are intercepted', async (_kind, start) => {
    await using server = await serve(PAGES);
    await using browser = await launchForTest();
    const { transport, targets } = await attach(browser);
    await watch(targets);
    await browser.goto(server.origin);
    transport.notes = [];
    await (await browser.page.frames.main.worlds.main).evaluate(`void ${start}`, null);
    const steps = (): string[] => transport.notes.filter((note) => /Fetch\.enable|runIfWaiting/.test(note));
    await expect.poll(steps).toContain('sent Runtime.runIfWaitingForDebugger');
    expect(steps().slice(0, 3)).toEqual([
      'sent Fetch.enable',
      'answered Fetch.enable',
      'sent Runtime.runIfWaitingForDebugger',
    ]);
  });

  // Chromium makes its way to the network when its script comes, whether or not anybody has heard of it by then.
  it.each([
    ['a script', `'/worker.js'`],
    ['a blob', `URL.createObjectURL(new Blob(["fetch(location.origin + '/asked')"]))`],
  ])('reports its request once to a late listener if its source is %s', async (_what, source) => {
    await using server = await serve(PAGES);
    await using browser = await launchForTest();
    // The other client must not let the worker run.
    const alone = { autoAttach: false, waitForDebuggerOnStart: false, flatten: true };
    await browser.goto(server.origin);
    await browser.connection.browser.send('Target.setAutoAttach', alone);
    const { transport, targets } = await attach(browser);
    const shown = await watch(targets);
    transport.isLate = true;
    const arrived = new Promise((done) => {
      server.page('/asked', (_request, response) => done(response.end('answer')));
    });
    const [page] = targets.pages;
    await page?.session.send('Runtime.evaluate', { expression: `void new SharedWorker(${source})` });
    await arrived;
    expect(transport.isLate).toBe(false);
    expect(shown).toEqual([`${server.origin}/asked`]);
  });

  it('pauses no page request in the browser session without a worker', async () => {
    await using server = await serve(PAGES);
    await using browser = await launchForTest();
    const { connection, targets } = await attach(browser);
    const shown = await watch(targets);
    let held = 0;
    connection.browser.on('Fetch.requestPaused', () => (held += 1));
    await browser.goto(server.origin);
    await (await browser.page.frames.main.worlds.main).evaluate(`fetch('/asked').then((r) => r.text())`, null);
    expect(shown).toEqual([`${server.origin}/asked`]);
    expect(held).toBe(0);
  });
});
