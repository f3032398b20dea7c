import type { RawData, WebSocket } from 'ws';
import { type GuardedHandler, guardHandler } from '../guard-handler.ts';
import { PlatformError } from '../errors.ts';
import { dialBrowser } from '../gateway/dial-browser.ts';
import { closeSocket, sendWithBackpressure } from '../gateway/backpressure.ts';
import { isOfWeb } from '../gateway/command-rules.ts';
import { filterMessage } from '../gateway/message-filter.ts';
import type { SocketMonitor } from '../gateway/socket-monitor.ts';
import { withoutTracePaths } from '../gateway/trace-paths.ts';
import type { PlatformLog } from '../platform-log.ts';
import type { LiveSession } from '../sessions/live-session.ts';

interface WireMessage {
  readonly id?: number;
  readonly method?: string;
  readonly result?: { readonly sessionId?: string };
  readonly params?: { readonly sessionId?: string; readonly targetInfo?: { readonly url: string } };
  readonly sessionId?: string;
}

const ANSWER_MS = 10_000;
/** The only command that this sends itself, on the browser's own session, where nobody else sends any. */
const ATTACH_ID = 1;
const CLOSED_BY_SERVER = 4001;
const BAD_MESSAGE = 4003;

/**
 * Opens one page of a session's browser as DevTools want it: a socket on which the page is all there is. What is said on it goes
 * over a socket to the whole browser, on a session of the page. Gives what joins it to a client.
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
    const pageSession = await attach(socket, targetId, log);
    sockets.addBrowser(dialed, session.row.id);
    return (client) => join({ client, browser: socket, pageSession, session, log });
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

/** Attaches to the page; gives the session of the attachment. */
async function attach(browser: WebSocket, targetId: string, log: PlatformLog): Promise<string> {
  const { promise: answered, resolve, reject } = Promise.withResolvers<WireMessage>();
  const door: GuardedHandler<[RawData]> = { name: 'DevTools', log, end: () => reject(new TypeError('no message')) };
  const take = guardHandler(door, (data: RawData) => {
    const message = JSON.parse(String(data)) as WireMessage;
    if (message.id === ATTACH_ID) resolve(message);
    // Told before the answer.
    if (!isOfWeb(message.params?.targetInfo?.url ?? '')) reject(new TypeError('no page of the web'));
  });
  const late = setTimeout(() => reject(new TypeError('no answer in time')), ANSWER_MS);
  browser.on('message', take);
  browser.on('close', () => reject(new TypeError('the browser ended')));
  try {
    const params = { targetId, flatten: true };
    browser.send(JSON.stringify({ id: ATTACH_ID, method: 'Target.attachToTarget', params }));
    const { result } = await answered;
    if (result?.sessionId === undefined) throw new TypeError('no such page');
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
  readonly session: LiveSession;
  readonly log: PlatformLog;
}

function join({ client, browser, pageSession, session, log }: Joined): void {
  const end = (): void => closeSocket(client, BAD_MESSAGE, 'Received what cannot be handled.');
  const door: GuardedHandler<[RawData]> = { name: 'DevTools', log, facts: { session: session.row.id }, end };
  const fromClient = guardHandler(door, (data: RawData) => {
    session.touch();
    const filtered = filterMessage(String(data), session.browser, { downloads: session.downloadController });
    if ('broken' in filtered) return closeSocket(client, BAD_MESSAGE, `Received ${filtered.broken}.`);
    if ('answer' in filtered) return sendWithBackpressure(client, filtered.answer, client);
    return sendWithBackpressure(browser, toBrowser(filtered.forward, pageSession), client);
  });
  const fromBrowser = guardHandler(door, (data: RawData) => {
    const message = toPage(withoutTracePaths(String(data), session.browser.downloads), pageSession);
    if (message === 'gone') closeSocket(client, CLOSED_BY_SERVER, 'The page was closed.');
    else if (message !== undefined) sendWithBackpressure(client, message, browser);
  });
  client.on('message', fromClient);
  browser.on('message', fromBrowser);
  // An error is always followed by 'close'.
  for (const socket of [client, browser]) socket.on('error', () => undefined);
  client.on('close', () => browser.terminate());
  browser.on('close', () => closeSocket(client, CLOSED_BY_SERVER, 'The browser ended.'));
}

/** What names no session is meant for the page. */
function toBrowser(text: string, pageSession: string): string {
  const message = JSON.parse(text) as WireMessage;
  return message.sessionId === undefined ? JSON.stringify({ ...message, sessionId: pageSession }) : text;
}

/** What comes from the page names no session; what the browser says for itself is for nobody here. */
function toPage(text: string, pageSession: string): string | undefined {
  const message = JSON.parse(text) as WireMessage;
  const { sessionId, ...rest } = message;
  if (sessionId === pageSession) return JSON.stringify(rest);
  if (sessionId !== undefined) return text;
  const isGone = message.method === 'Target.detachedFromTarget' && message.params?.sessionId === pageSession;
  return isGone ? 'gone' : undefined;
}
