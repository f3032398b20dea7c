import type { RawData, WebSocket } from 'ws';
import { type GuardedHandler, guardHandler } from '../guard-handler.ts';
import { PlatformError } from '../errors.ts';
import { dialBrowser } from '../gateway/dial-browser.ts';
import { closeSocket, sendWithBackpressure } from '../gateway/backpressure.ts';
import { filterMessage } from '../gateway/message-filter.ts';
import type { SocketMonitor } from '../gateway/socket-monitor.ts';
import { TargetGuard } from '../gateway/target-guard.ts';
import { withoutTracePaths } from '../gateway/trace-paths.ts';
import type { PlatformLog } from '../platform-log.ts';
import type { LiveSession } from '../sessions/live-session.ts';

interface WireMessage {
  readonly id?: number;
  readonly method?: string;
  readonly result?: { readonly sessionId?: string };
  readonly params?: { readonly sessionId?: string };
  readonly sessionId?: string;
}

const ANSWER_MS = 10_000;
/** Id of the attach command, the only command that this file sends itself. */
const ATTACH_ID = 1;
const CLOSED_BY_SERVER = 4001;
const BAD_MESSAGE = 4003;

/**
 * Opens a socket for DevTools on which one page is the only target. Forwards messages to the page's session on a
 * connection to the browser. Returns a function that attaches the client.
 */
export async function openPageSocket(
  { session, sockets, log }: OpeningParts,
  targetId: string,
): Promise<(client: WebSocket) => void> {
  let browser: WebSocket | undefined;
  try {
    const dialed = await dialBrowser(session.browser.url);
    const { socket } = dialed;
    browser = socket.on('error', () => undefined);
    const targets = new TargetGuard(session.outsideTargets);
    const pageSession = await attach(socket, { targetId, targets, log });
    sockets.addBrowser(dialed, session.row.id);
    return (client) => join({ client, browser: socket, pageSession, targets, session, log });
  } catch (error) {
    browser?.terminate();
    throw new PlatformError('not_found', 'This page is not open in the browser.', { cause: error });
  }
}

interface OpeningParts {
  readonly session: LiveSession;
  readonly sockets: SocketMonitor;
  readonly log: PlatformLog;
}

interface Attaching {
  readonly targetId: string;
  readonly targets: TargetGuard;
  readonly log: PlatformLog;
}

/** Attaches to the page and returns its CDP session id. */
async function attach(browser: WebSocket, { targetId, targets, log }: Attaching): Promise<string> {
  const { promise: answered, resolve, reject } = Promise.withResolvers<WireMessage>();
  const guard: GuardedHandler<[RawData]> = { name: 'DevTools', log, end: () => reject(new TypeError('no message')) };
  const take = guardHandler(guard, (data: RawData) => {
    // The event with the page's URL arrives before the response.
    targets.note(String(data));
    const message = JSON.parse(String(data)) as WireMessage;
    if (message.id === ATTACH_ID) resolve(message);
  });
  const late = setTimeout(() => reject(new TypeError('no response in time')), ANSWER_MS);
  browser.on('message', take);
  browser.on('close', () => reject(new TypeError('the browser has exited')));
  try {
    const params = { targetId, flatten: true };
    browser.send(JSON.stringify({ id: ATTACH_ID, method: 'Target.attachToTarget', params }));
    const { result } = await answered;
    if (result?.sessionId === undefined) throw new TypeError('no such page');
    if (targets.refuses(result)) throw new TypeError('not a web page');
    return result.sessionId;
  } finally {
    clearTimeout(late);
    browser.off('message', take);
  }
}

interface Joined {
  readonly client: WebSocket;
  readonly browser: WebSocket;
  readonly pageSession: string;
  readonly targets: TargetGuard;
  readonly session: LiveSession;
  readonly log: PlatformLog;
}

function join({ client, browser, pageSession, targets, session, log }: Joined): void {
  const end = (): void => closeSocket(client, BAD_MESSAGE, 'Received an invalid message.');
  const guard: GuardedHandler<[RawData]> = { name: 'DevTools', log, facts: { session: session.row.id }, end };
  const fromClient = guardHandler(guard, (data: RawData) => {
    session.touch();
    const filtered = filterMessage(String(data), session.browser, {
      downloads: session.downloadController,
      targets: { refuses: (command) => targets.refuses({ sessionId: pageSession, ...command }) },
    });
    if ('broken' in filtered) return closeSocket(client, BAD_MESSAGE, `Received ${filtered.broken}.`);
    if ('answer' in filtered) return sendWithBackpressure(client, filtered.answer, client);
    return sendWithBackpressure(browser, toBrowser(filtered.forward, pageSession), client);
  });
  const fromBrowser = guardHandler(guard, (data: RawData) => {
    targets.note(String(data));
    const visible = targets.visible(String(data));
    if (visible === undefined) return;
    const message = toPage(withoutTracePaths(visible, session.browser.downloads), pageSession);
    if (message === 'gone') closeSocket(client, CLOSED_BY_SERVER, 'The page was closed.');
    else if (message !== undefined) sendWithBackpressure(client, message, browser);
  });
  client.on('message', fromClient);
  browser.on('message', fromBrowser);
  // `close` follows every error.
  for (const socket of [client, browser]) socket.on('error', () => undefined);
  client.on('close', () => browser.terminate());
  browser.on('close', () => closeSocket(client, CLOSED_BY_SERVER, 'The browser has exited.'));
}

/** DevTools sends page commands without a session id. */
function toBrowser(text: string, pageSession: string): string {
  const message = JSON.parse(text) as WireMessage;
  return message.sessionId === undefined ? JSON.stringify({ ...message, sessionId: pageSession }) : text;
}

/**
 * Removes the session id from the page's messages. Drops messages from the browser session. Returns `gone` when the
 * page has closed.
 */
function toPage(text: string, pageSession: string): string | undefined {
  const message = JSON.parse(text) as WireMessage;
  const { sessionId, ...rest } = message;
  if (sessionId === pageSession) return JSON.stringify(rest);
  if (sessionId !== undefined) return text;
  const isGone = message.method === 'Target.detachedFromTarget' && message.params?.sessionId === pageSession;
  return isGone ? 'gone' : undefined;
}
