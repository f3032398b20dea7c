import { setTimeout as pause } from 'node:timers/promises';
import { PlatformError, reasonOf } from '../../errors.ts';
import type { BrowserState } from '../browser-backend.ts';
import { type GridStatus, readGridStatus, readNewSession, type NewGridSession } from './grid-answers.ts';

interface GridRequest {
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly path: string;
  readonly body?: object;
  readonly signal: AbortSignal;
}

interface GridReply {
  readonly status: number;
  readonly body: unknown;
}

/** A Grid with capacity starts a browser in 1 s. A machine that starts several at once needs much longer. */
const CREATE_MS = 60_000;
const ANSWER_MS = 10_000;
/** A browser responds within 2 s even on a busy machine. */
const STATE_MS = 4000;
/**
 * A router responds in milliseconds. If it takes longer than this, the machine is busy, and its nodes are slow rather
 * than frozen.
 */
export const PROMPT_MS = 500;
/** How long to retry the removal of a session. */
const REMOVE_MS = 5000;
const REMOVE_AGAIN_MS = 250;
const RETRY_AFTER_S = 5;
/**
 * Matches errors from chromedriver. Other errors, such as `Connection error`, mean that no node tried to start a
 * browser.
 */
const DRIVER_ANSWERED = /Response code \d/i;

/**
 * Client of one Selenium Grid router. Grid errors contain session ids, hosts and stack traces, so only the log gets
 * them, as one line without ids.
 */
export class GridRouter {
  /** URL without credentials, for logs and handles. */
  readonly name: string;
  readonly #base: URL;
  readonly #headers: Readonly<Record<string, string>>;

  constructor(address: string) {
    this.#base = addressOf(address);
    const { username, password } = this.#base;
    const credentials = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
    // Selenium refuses bodies without a charset.
    this.#headers = {
      'content-type': 'application/json; charset=utf-8',
      ...(username === '' ? {} : { authorization: `Basic ${Buffer.from(credentials).toString('base64')}` }),
    };
    const bare = new URL(this.#base);
    bare.username = '';
    bare.password = '';
    this.name = bare.href;
  }

  get isLocal(): boolean {
    return ['localhost', '127.0.0.1', '[::1]'].includes(this.#base.hostname);
  }

  /**
   * Returns the DevTools WebSocket URL of a session. The Grid's `se:cdp` value contains the router address that its
   * nodes use, which may differ from ours.
   */
  socketOf(id: string): string {
    const url = new URL(`session/${id}/se/cdp`, this.#base);
    url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:';
    return url.href;
  }

  async status(signal: AbortSignal): Promise<GridStatus> {
    const { body } = await this.#ask({ method: 'GET', path: 'status', signal: within(signal, ANSWER_MS) });
    return readGridStatus(body);
  }

  /**
   * Starts a browser. Rejects with `no_capacity` if no node is free, or if the Grid or its node is unreachable or takes
   * longer than 60 s.
   */
  async create(capabilities: object, signal: AbortSignal): Promise<NewGridSession> {
    const body = { capabilities: { alwaysMatch: capabilities } };
    const request = { method: 'POST', path: 'session', body, signal: within(signal, CREATE_MS) } as const;
    const reply = await this.#ask(request).catch((error: unknown) => {
      throw signal.aborted ? signal.reason : noBrowser(causeOf(error));
    });
    const session = readNewSession(reply.body);
    if (session) return session;
    const said = reasonIn(reply);
    if (!DRIVER_ANSWERED.test(said)) throw noBrowser(said);
    throw new PlatformError('internal', 'The browser could not be started.', { cause: said });
  }

  /** Ends a session. Retries for 5 s until the Grid responds with 404. Returns false if it never does. */
  async remove(id: string): Promise<boolean> {
    const deadline = performance.now() + REMOVE_MS;
    do {
      const { status } = await this.#tried({
        method: 'DELETE',
        path: `session/${id}`,
        signal: AbortSignal.timeout(ANSWER_MS),
      });
      if (status === 404) return true;
      // The node or router may be down for a moment.
      if (status !== 200) await pause(REMOVE_AGAIN_MS);
    } while (performance.now() < deadline);
    return false;
  }

  /** Queries the browser's state. This request goes through to the browser and works without a page. */
  async stateOf(id: string): Promise<BrowserState> {
    const signal = AbortSignal.timeout(STATE_MS);
    const { status } = await this.#tried({ method: 'GET', path: `session/${id}/window/handles`, signal });
    if (status === 200) return 'alive';
    if (status === 404) return 'gone';
    if (status !== 0) return 'silent';
    return signal.aborted && (await this.#isPrompt()) ? 'frozen' : 'unknown';
  }

  async #isPrompt(): Promise<boolean> {
    const { status } = await this.#tried({ method: 'GET', path: 'status', signal: AbortSignal.timeout(PROMPT_MS) });
    return status !== 0;
  }

  /** Returns status 0 if the request fails. */
  async #tried(request: GridRequest): Promise<GridReply> {
    try {
      return await this.#ask(request);
    } catch (error) {
      return { status: 0, body: causeOf(error) };
    }
  }

  async #ask({ method, path, body, signal }: GridRequest): Promise<GridReply> {
    const url = new URL(path, this.name);
    const response = await fetch(url, {
      method,
      headers: this.#headers,
      redirect: 'error',
      signal,
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    const text = await response.text();
    return { status: response.status, body: parsed(text) };
  }
}

function addressOf(address: string): URL {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (!url || !/^https?:$/.test(url.protocol))
    throw new PlatformError(
      'invalid_request',
      'grid must be the URL of a Selenium router, for example http://user:password@host:4444.',
    );
  if (!url.pathname.endsWith('/')) url.pathname += '/';
  url.search = '';
  url.hash = '';
  return url;
}

function within(signal: AbortSignal, ms: number): AbortSignal {
  return AbortSignal.any([signal, AbortSignal.timeout(ms)]);
}

/** `fetch` puts the reason into the `cause` of its error. */
function causeOf(error: unknown): string {
  return reasonOf(error instanceof TypeError && error.cause !== undefined ? error.cause : error);
}

function noBrowser(cause: string): PlatformError {
  const message = `No browser is available. Try again in ${RETRY_AFTER_S} s.`;
  return new PlatformError('no_capacity', message, { retryAfter: RETRY_AFTER_S, cause });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // A load balancer may respond in another format.
    return text;
  }
}

const MAX_CHARACTERS = 200;

/** Returns the first line of a Grid error for the log, without session ids. */
function reasonIn({ status, body }: GridReply): string {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const message = /"message":"((?:[^"\\]|\\.)*)"/.exec(text)?.[1] ?? text;
  const [line = ''] = message.split(/\\n|\n/, 1);
  return `the grid responded with ${status}: ${line.replaceAll(/[\da-f]{32}/gi, '…').slice(0, MAX_CHARACTERS)}`;
}
