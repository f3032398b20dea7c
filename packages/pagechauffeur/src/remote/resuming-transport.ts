import { setTimeout as pause } from 'node:timers/promises';
import type { IncomingMessage, Transport } from '../cdp/transport.ts';
import { type OpenSocket, closeSocket, messageIn, openSocket, sendTogether } from '../cdp/web-socket.ts';
import { type Recovery, RemoteSessionNotFoundError } from '../errors.ts';
import { type Deferred, deferred } from '../util/deferred.ts';
import { reasonOf } from '../util/error-facts.ts';
import { Inbox, LINK_CLOSE, LINK_PROTOCOL, type LinkNote, readNote } from './link-protocol.ts';
import { Outbox } from './outbox.ts';

/** What the transport needs from the driver: fresh URLs, and callbacks for changes of the connection. */
export interface LinkAccess {
  /** Returns the WebSocket URL with a valid token. */
  address(signal?: AbortSignal): Promise<string>;
  readonly signal: AbortSignal;
  /** Called when the socket is lost, before the first attempt to resume. */
  onLoss(reason: string): void;
  onResume(): void;
  /** Called when the connection cannot be resumed. `code` is the close code, unless attempts to resume failed. */
  onEnd(code?: number): Promise<Recovery>;
  /** Called when an operator takes over the browser or hands it back. */
  onTakeover(isTakenOver: boolean): void;
}

/** How long to try to replace a lost socket. The platform keeps the link for 10 s unless configured otherwise. */
const RESUME_MS = 30_000;
const PAUSE_MS = 250;
/**
 * Timeouts of the first attempts to resume. A load balancer may choose a dead server; live ones respond immediately.
 */
const TRIES_MS = [2000, 3000];
const LATER_TRY_MS = 5000;
/** Timeouts of the first attempts to connect. The server may have to take over the session first, or may be dead. */
const OPEN_TRIES_MS = [4000, 8000];
const LATER_OPEN_MS = 15_000;
const PING_MS = 4000;
/** Unanswered pings after which a socket without traffic counts as dead. */
const PINGS = 2;
/** Replaces {@link PINGS} while the platform receives a large message, because it then answers pings late. */
const BUSY_PINGS = 11;
const LARGE_CHARACTERS = 1024 * 1024;
/** Close codes after which resuming cannot help: orderly ends, rejected messages, and the platform's own codes. */
const FINAL_CODES: readonly number[] = [1000, 1005, 1008, 1009, ...Object.values(LINK_CLOSE)];

/**
 * Opens a connection to a remote browser. If the platform supports links, the connection survives the loss of its
 * socket.
 */
export async function openResumingTransport(access: LinkAccess): Promise<Transport> {
  const transport = new ResumingTransport(access);
  for (let tries = 0; ; tries += 1) {
    const late = AbortSignal.timeout(OPEN_TRIES_MS[tries] ?? LATER_OPEN_MS);
    try {
      const url = await access.address(access.signal);
      await transport.open(url, AbortSignal.any([access.signal, late]));
      return transport;
    } catch (error) {
      // Throws a more specific error if the session has ended.
      if (isFinal(error)) await access.address(access.signal);
      if (access.signal.aborted || !late.aborted) throw error;
    }
  }
}

interface Loss {
  readonly event: string;
  /** Close code. Undefined after failed attempts to resume. */
  readonly code?: number;
  /** Close reason from the platform, or `''`. */
  readonly serverMessage: string;
}

class ResumingTransport implements Transport {
  onMessage: (message: IncomingMessage) => void = () => undefined;
  onClose: Transport['onClose'] = () => undefined;
  readonly #access: LinkAccess;
  readonly #outbox = new Outbox();
  readonly #inbox = new Inbox();
  readonly #closing = new AbortController();
  #open: OpenSocket | undefined;
  #link: string | undefined;

  constructor(access: LinkAccess) {
    this.#access = access;
  }

  /** Opens a socket. When it resumes a link, resends the messages that the platform has not received. */
  async open(url: string, signal: AbortSignal): Promise<void> {
    const noted = deferred<LinkNote>();
    const open = await openSocket(url, {
      protocols: [LINK_PROTOCOL],
      signal,
      onOpening: (socket) => {
        socket.on('message', (data, isBinary) => {
          if (isBinary) this.#takeNote(String(data), noted);
          else this.#receive(messageIn(data));
        });
        socket.on('close', (code) => noted.reject(new TypeError(`the socket closed with code ${code}`)));
      },
    });
    const { socket } = open;
    if (socket.protocol === LINK_PROTOCOL) {
      const abort = (): void => socket.terminate();
      signal.addEventListener('abort', abort, { once: true });
      const { link, received } = await noted.promise.finally(() => signal.removeEventListener('abort', abort));
      this.#link = link;
      for (const message of this.#outbox.after(received) ?? []) socket.send(message);
    }
    if (this.#closing.signal.aborted) return closeSocket(socket);
    this.#open = open;
    this.#watch(open);
  }

  send(message: string): void {
    if (this.#link !== undefined) this.#outbox.push(message);
    if (this.#open) sendTogether(this.#open, message);
  }

  close(): void {
    this.#closing.abort();
    if (this.#open) closeSocket(this.#open.socket);
    else this.onClose('it was closed while disconnected');
  }

  #receive(message: IncomingMessage): void {
    const isTime = this.#link !== undefined && this.#inbox.add(message);
    if (isTime) this.#open?.socket.send(this.#inbox.note());
    this.onMessage(message);
  }

  #takeNote(data: string, first: Deferred<LinkNote>): void {
    const note = readNote(data);
    if (!note) return;
    this.#outbox.confirm(note.received);
    if (note.isTakenOver !== undefined) this.#access.onTakeover(note.isTakenOver);
    first.resolve(note);
  }

  #watch(open: OpenSocket): void {
    const { socket } = open;
    const unwatch = this.#link === undefined ? () => undefined : this.#watchSilence(open);
    socket.on('close', (code, reason) => {
      unwatch();
      this.#open = undefined;
      const loss = { event: `the socket closed with code ${code}`, code, serverMessage: String(reason) };
      if (this.#closing.signal.aborted) this.onClose(loss.event);
      else if (this.#link === undefined || FINAL_CODES.includes(code)) void this.#end(loss);
      else void this.#resume(loss);
    });
    // `close` follows every error.
    socket.on('error', () => undefined);
  }

  /**
   * Terminates a socket whose peer is silent. Any traffic counts as a response, because a large message delays pongs.
   */
  #watchSilence({ socket, stream }: OpenSocket): () => void {
    let seen = '';
    let pings = 0;
    const check = (): void => {
      const moved = `${stream.bytesRead} ${stream.writableLength}`;
      pings = moved === seen ? pings + 1 : 0;
      seen = moved;
      const most = this.#outbox.size > LARGE_CHARACTERS ? BUSY_PINGS : PINGS;
      if (pings >= most) socket.terminate();
      else if (socket.readyState === socket.OPEN) socket.ping();
    };
    // Lets the event loop first read what arrived while this process was busy.
    const timer = setInterval(() => setImmediate(check), PING_MS).unref();
    return () => clearInterval(timer);
  }

  async #resume({ event, serverMessage }: Loss): Promise<void> {
    this.#access.onLoss(event);
    const deadline = performance.now() + RESUME_MS;
    let failure: unknown;
    for (let tries = 0; performance.now() < deadline && !this.#closing.signal.aborted; tries += 1) {
      try {
        const late = AbortSignal.timeout(TRIES_MS[tries] ?? LATER_TRY_MS);
        const signal = AbortSignal.any([this.#closing.signal, late]);
        await this.open(await this.#resumeAddress(signal), signal);
        return this.#access.onResume();
      } catch (error) {
        // Another attempt cannot help.
        if (isFinal(error)) return this.#end({ event: `${event} and could not be resumed`, serverMessage });
        failure = error;
      }
      await pause(PAUSE_MS);
    }
    await this.#end({ event: `${event} and could not be resumed: ${reasonOf(failure)}`, serverMessage });
  }

  async #end({ event, code, serverMessage }: Loss): Promise<void> {
    if (this.#closing.signal.aborted) this.onClose(event);
    else this.onClose(event, await this.#access.onEnd(code), serverMessage);
  }

  async #resumeAddress(signal: AbortSignal): Promise<string> {
    const url = new URL(await this.#access.address(signal));
    url.searchParams.set('link', this.#link ?? '');
    url.searchParams.set('received', String(this.#inbox.received));
    return url.href;
  }
}

/** True if no retry can help: the session ended, or the platform rejects the socket with a 4xx status. */
function isFinal(error: unknown): boolean {
  return error instanceof RemoteSessionNotFoundError || /Unexpected server response: 4\d\d/.test(reasonOf(error));
}
