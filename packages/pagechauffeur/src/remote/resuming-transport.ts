import { setTimeout as pause } from 'node:timers/promises';
import type { Transport } from '../cdp/transport.ts';
import { type OpenSocket, closeSocket, openSocket, sendTogether } from '../cdp/web-socket.ts';
import { type Recovery, RemoteSessionNotFoundError } from '../errors.ts';
import { type Deferred, deferred } from '../util/deferred.ts';
import { reasonOf } from '../util/error-facts.ts';
import { Inbox, LINK_CLOSE, LINK_PROTOCOL, type LinkNote, readNote } from './link-protocol.ts';
import { Outbox } from './outbox.ts';

/** How the browser of a remote session is reached. */
export interface LinkAccess {
  /** The socket's address; each time it is asked for, with a token that is valid. */
  address(signal?: AbortSignal): Promise<string>;
  readonly signal: AbortSignal;
  /** Told when the socket was lost, and when another has taken its place. */
  onLoss(reason: string): void;
  onResume(): void;
  /** Told when no socket can take the place of the one that was lost, with its close code if that says why. What can be done then. */
  onEnd(code?: number): Promise<Recovery>;
  /** Told whether a person works in the browser, when the platform says so. */
  onTakeover(isTakenOver: boolean): void;
}

/** For so long a lost socket is replaced; the platform keeps what it has to send for about as long. */
const RESUME_MS = 30_000;
const PAUSE_MS = 250;
/** A balancer may send a try to a server that has stopped answering. Most live servers answer at once. */
const TRIES_MS = [2000, 3000];
const LATER_TRY_MS = 5000;
/** A new connection may wait until a server takes the session over, or may have reached one that has stopped answering. */
const OPEN_TRIES_MS = [4000, 8000];
const LATER_OPEN_MS = 15_000;
const PING_MS = 4000;
/** A socket over which nothing has moved after so many pings is as good as ended. */
const PINGS = 2;
/** While the platform has yet to take a large message, it may leave pings unread for longer. */
const PINGS_OF_BUSY = 11;
const LARGE_CHARACTERS = 1024 * 1024;
/** Ends in order, and what the platform says cannot be mended. */
const FINAL_CODES: readonly number[] = [1000, 1005, 1008, 1009, ...Object.values(LINK_CLOSE)];

/** Opens a connection to a remote browser that outlives its socket, where the platform offers that. */
export async function openResumingTransport(access: LinkAccess): Promise<Transport> {
  const transport = new ResumingTransport(access);
  for (let tries = 0; ; tries += 1) {
    const late = AbortSignal.timeout(OPEN_TRIES_MS[tries] ?? LATER_OPEN_MS);
    try {
      const url = await access.address(access.signal);
      await transport.open(url, AbortSignal.any([access.signal, late]));
      return transport;
    } catch (error) {
      // The end of the session explains more than the refused connection.
      if (isFinal(error)) await access.address(access.signal);
      if (access.signal.aborted || !late.aborted) throw error;
    }
  }
}

class ResumingTransport implements Transport {
  onMessage: (message: string) => void = () => undefined;
  onClose: (reason: string, recovery?: Recovery) => void = () => undefined;
  readonly #access: LinkAccess;
  readonly #outbox = new Outbox();
  readonly #inbox = new Inbox();
  readonly #closing = new AbortController();
  #open: OpenSocket | undefined;
  #link: string | undefined;

  constructor(access: LinkAccess) {
    this.#access = access;
  }

  /** Opens the socket; with the name of a link, goes on with that. */
  async open(url: string, signal: AbortSignal): Promise<void> {
    const noted = deferred<LinkNote>();
    const open = await openSocket(url, {
      protocols: [LINK_PROTOCOL],
      signal,
      onOpening: (socket) => {
        socket.on('message', (data, isBinary) => {
          if (isBinary) this.#takeNote(String(data), noted);
          else this.#receive(String(data));
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
    else this.onClose('it was closed while it was lost');
  }

  #receive(message: string): void {
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

  /** Follows a socket to its end. One that falls silent is as good as ended. */
  #watch(open: OpenSocket): void {
    const { socket } = open;
    const unwatch = this.#link === undefined ? () => undefined : this.#watchSilence(open);
    socket.on('close', (code, reason) => {
      unwatch();
      this.#open = undefined;
      const said = String(reason) || `the socket closed with code ${code}`;
      if (this.#closing.signal.aborted) this.onClose(said);
      else if (this.#link === undefined || FINAL_CODES.includes(code)) void this.#end(said, code);
      else void this.#resume(said);
    });
    // An error is always followed by 'close'.
    socket.on('error', () => undefined);
  }

  /** Ends a socket whose other side has stopped answering. Whatever moves over it shows that it lives: a large message holds up the answer to a ping. */
  #watchSilence({ socket, stream }: OpenSocket): () => void {
    let seen = '';
    let pings = 0;
    const look = (): void => {
      const moved = `${stream.bytesRead} ${stream.writableLength}`;
      pings = moved === seen ? pings + 1 : 0;
      seen = moved;
      const most = this.#outbox.size > LARGE_CHARACTERS ? PINGS_OF_BUSY : PINGS;
      if (pings >= most) socket.terminate();
      else if (socket.readyState === socket.OPEN) socket.ping();
    };
    // What has come while this process was busy is read before it is looked at.
    const timer = setInterval(() => setImmediate(look), PING_MS).unref();
    return () => clearInterval(timer);
  }

  async #resume(lost: string): Promise<void> {
    this.#access.onLoss(lost);
    const deadline = performance.now() + RESUME_MS;
    let failure: unknown;
    for (let tries = 0; performance.now() < deadline && !this.#closing.signal.aborted; tries += 1) {
      try {
        const late = AbortSignal.timeout(TRIES_MS[tries] ?? LATER_TRY_MS);
        const signal = AbortSignal.any([this.#closing.signal, late]);
        await this.open(await this.#resumeAddress(signal), signal);
        return this.#access.onResume();
      } catch (error) {
        // The end of the session explains more than the refused connection.
        if (isFinal(error)) return this.#end(`${lost}, and could not be resumed`);
        failure = error;
      }
      await pause(PAUSE_MS);
    }
    await this.#end(`${lost}, and could not be resumed: ${reasonOf(failure)}`);
  }

  /** The connection is lost for good: tells why, and what can be done. */
  async #end(reason: string, code?: number): Promise<void> {
    if (this.#closing.signal.aborted) this.onClose(reason);
    else this.onClose(reason, await this.#access.onEnd(code));
  }

  async #resumeAddress(signal: AbortSignal): Promise<string> {
    const url = new URL(await this.#access.address(signal));
    url.searchParams.set('link', this.#link ?? '');
    url.searchParams.set('received', String(this.#inbox.received));
    return url.href;
  }
}

/** The session has ended, or the platform has let go of the link and refuses the socket. */
function isFinal(error: unknown): boolean {
  return error instanceof RemoteSessionNotFoundError || /Unexpected server response: 4\d\d/.test(reasonOf(error));
}
