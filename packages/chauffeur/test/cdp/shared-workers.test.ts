import { describe, expect, it, onTestFinished } from 'vitest';
import { BrowserTargets } from '../../src/cdp/browser-targets.ts';
import { Connection } from '../../src/cdp/connection.ts';
import type { Transport } from '../../src/cdp/transport.ts';
import { openTransport } from '../../src/cdp/web-socket.ts';
import { launchForTest } from '../support/launch-for-test.ts';
import { serve } from '../support/serve.ts';

interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly sessionId?: string;
}

/** Keeps in which order commands went out and were answered. */
class NotedTransport implements Transport {
  readonly #transport: Transport;
  readonly #methodById = new Map<number, string>();
  /** `sent Fetch.enable`, `answered Fetch.enable` …, of one session. */
  readonly notesBySession = new Map<string, string[]>();

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  set onMessage(listener: (message: string) => void) {
    this.#transport.onMessage = (text) => {
      const { id, sessionId } = JSON.parse(text) as Message;
      if (id !== undefined) this.#note(sessionId, `answered ${this.#methodById.get(id)}`);
      listener(text);
    };
  }

  set onClose(listener: (reason: string) => void) {
    this.#transport.onClose = listener;
  }

  send(text: string): void {
    const { id = 0, method = '', sessionId } = JSON.parse(text) as Message;
    this.#methodById.set(id, method);
    this.#note(sessionId, `sent ${method}`);
    this.#transport.send(text);
  }

  close(): void {
    this.#transport.close();
  }

  #note(session = '', what: string): void {
    this.notesBySession.set(session, [...(this.notesBySession.get(session) ?? []), what]);
  }
}

describe('a worker that pages share', () => {
  // Its way to the network is changed by another way than the one on which it is told to run.
  it.each([
    ['shared', `new SharedWorker('/worker.js')`],
    ['service', `navigator.serviceWorker.register('/worker.js')`],
  ])('runs only after its requests are held up (%s)', async (_kind, start) => {
    await using server = await serve({
      '/': '<title>page</title>',
      '/worker.js': (_request, response) =>
        response.setHeader('content-type', 'text/javascript').end(`fetch('/asked')`),
    });
    await using browser = await launchForTest();
    const transport = new NotedTransport(await openTransport(browser.connection.url));
    onTestFinished(() => transport.close());
    const targets = new BrowserTargets(new Connection(browser.connection.url, transport), {
      viewport: undefined,
      ignoreHTTPSErrors: false,
      sharesFiles: true,
      isFresh: false,
    });
    await targets.start();
    await targets.control.interception.set(undefined, {
      patterns: ['*'],
      handle: (_request, next) => next({}),
    });
    await browser.goto(server.origin);
    await (await browser.page.frames.main.worlds.main).evaluate(`void ${start}`, null);
    const notes = (): string[] | undefined =>
      [...transport.notesBySession.values()].find(
        (session) => session.includes('sent Fetch.enable') && !session.includes('sent Page.enable'),
      );
    await expect.poll(notes).toContain('sent Runtime.runIfWaitingForDebugger');
    expect(notes()?.slice(0, 3)).toEqual([
      'sent Fetch.enable',
      'answered Fetch.enable',
      'sent Runtime.runIfWaitingForDebugger',
    ]);
  });
});
