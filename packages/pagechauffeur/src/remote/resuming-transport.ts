import { setTimeout as pause } from 'node:timers/promises';
import type { IncomingMessage, Transport } from '../cdp/transport.ts';
import { type OpenSocket, closeSocket, messageIn, openSocket, sendTogether } from '../cdp/web-socket.ts';
import { type Recovery, RemoteSessionNotFoundError } from '../errors.ts';
import { type Deferred, deferred } from '../util/deferred.ts';
import { reasonOf } from '../util/error-facts.ts';
import { Inbox, LINK_CLOSE, LINK_PROTOCOL, type LinkNote, readNote } from './link-protocol.ts';
import { Outbox } from './outbox.ts';

/** Access to the browser of a remote session. */
export interface LinkAccess {
  /** Returns the WebSocket URL with a valid token. */
  address(signal?: AbortSignal): Promise<string>;
  readonly signal: AbortSignal;
  /** Called when the socket is lost, and again when another one has replaced it. */
  onLoss(reason: string): void;
  onResume(): void;
  /**
   * Called when no socket can replace the lost one, with its close code if that explains why. Returns advice for the user.
   */
  onEnd(code?: number): Promise<Recovery>;
  /** Called when the platform reports that an operator took over or handed back the browser. */
  onTakeover(isTakenOver: boolean): void;
}

/** How long to try to replace a lost socket. The platform keeps unsent messages for about as long. */
const RESUME_MS = 30_000;
const PAUSE_MS = 250;
/** A load balancer may choose a server that does not answer. Most live servers answer at once. */
const TRIES_MS = [2000, 3000];
const LATER_TRY_MS = 5000;
/** A new connection may wait until a server takes the session over, or may have reached one that does not answer. */
const OPEN_TRIES_MS = [4000, 8000];
const LATER_OPEN_MS = 15_000;
const PING_MS = 4000;
/** Number of unanswered pings after which a socket without traffic counts as dead. */
const PINGS = 2;
/** While the platform is receiving a large message, it may answer pings later. */
const PINGS_OF_BUSY = 11;
const LARGE_CHARACTERS = 1024 * 1024;
/** Orderly ends, and failures that cannot be repaired. */
const FINAL_CODES: readonly number[] = [1000, 1005, 1008, 1009, ...Object.values(LINK_CLOSE)];

/** Opens a connection to a remote browser. It survives the loss of its socket if the platform supports links. */
export async function openResumingTransport(access: LinkAccess): Promise<Transport> {
  const transport = new ResumingTransport(access);
  for (let tries = 0; ; tries += 1) {
    const late = AbortSignal.timeout(OPEN_TRIES_MS[tries] ?? LATER_OPEN_MS);
    try {
      const url = await access.address(access.signal);
      await transport.open(url, AbortSignal.any([access.signal, late]));
      return transport;
    } catch (error) {
      // The session's end is more informative than the refused connection.
      if (isFinal(error)) await access.address(access.signal);
      if (access.signal.aborted || !late.aborted) throw error;
    }
  }
}

/** The reason for the loss of a socket. */
interface Loss {
  readonly event: string;
  /** Its close code, if it explains why. */
  readonly code?: number;
  /** The platform's own sentence, if it sent one. */
  readonly said: string;
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

  /** Opens the socket. With a link name, resumes that link. */
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

  /** Watches a socket until it closes. A silent socket counts as dead. */
  #watch(open: OpenSocket): void {
    const { socket } = open;
    const unwatch = this.#link === undefined ? () => undefined : this.#watchSilence(open);
    socket.on('close', (code, reason) => {
      unwatch();
      this.#open = undefined;
      const loss = { event: `the socket closed with code ${code}`, code, said: String(reason) };
      if (this.#closing.signal.aborted) this.onClose(loss.event);
      else if (this.#link === undefined || FINAL_CODES.includes(code)) void this.#end(loss);
      else void this.#resume(loss);
    });
    // Every error is followed by `close`.
    socket.on('error', () => undefined);
  }

  /**
   * Closes a socket whose peer does not answer. Any traffic shows that it lives, because a large message delays the
   * answer to a ping.
   */
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
    // First reads the data that arrived while this process was busy, then checks.
    const timer = setInterval(() => setImmediate(look), PING_MS).unref();
    return () => clearInterval(timer);
  }

  async #resume({ event, said }: Loss): Promise<void> {
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
        // The session's end is more informative than the refused connection.
        if (isFinal(error)) return this.#end({ event: `${event} and could not be resumed`, said });
        failure = error;
      }
      await pause(PAUSE_MS);
    }
    await this.#end({ event: `${event} and could not be resumed: ${reasonOf(failure)}`, said });
  }

  /** Reports that the connection is lost for good, with the reason and advice. */
  async #end({ event, code, said }: Loss): Promise<void> {
    if (this.#closing.signal.aborted) this.onClose(event);
    else this.onClose(event, await this.#access.onEnd(code), said);
  }

  async #resumeAddress(signal: AbortSignal): Promise<string> {
    const url = new URL(await this.#access.address(signal));
    url.searchParams.set('link', this.#link ?? '');
    url.searchParams.set('received', String(this.#inbox.received));
    return url.href;
  }
}

/** True if the session ended, or the platform dropped the link and refuses the socket. */
function isFinal(error: unknown): boolean {
  return error instanceof RemoteSessionNotFoundError || /Unexpected server response: 4\d\d/.test(reasonOf(error));
}
