import type { Duplex } from 'node:stream';
import type { WebSocket } from 'ws';
import type { BrowserSocket } from './dial-browser.ts';
import { guardHandler } from '../guard-handler.ts';
import type { PlatformLog } from '../platform-log.ts';
import { cutSocket, heldFor, POLICY_CODE } from './backpressure.ts';
import { FrameParser } from './frame-parser.ts';

/** RFC 6455: Message Too Big. */
const TOO_BIG = 1009;
const MIB = 1024 * 1024;
/** Limits for messages from clients. Uploads may be larger. */
export const MAX_MESSAGE_BYTES = 16 * MIB;
export const MAX_UPLOAD_BYTES = 128 * MIB;
/** Limit for the unfinished messages of all clients together. */
const MAX_UNFINISHED_BYTES = 144 * MIB;
/** Methods that drivers use to upload files and fulfill requests. */
const UPLOAD = /"method"\s*:\s*"(?:Runtime\.callFunctionOn|Fetch\.fulfillRequest)"/;

const BEAT_MS = 15_000;
/** Number of 15 s beats within which a message must be complete. */
const MESSAGE_BEATS = 4;
const UPLOAD_BEATS = 20;

interface MonitoredSocket {
  readonly socket: WebSocket;
  readonly connection: Duplex;
  readonly frames: FrameParser;
  readonly session: string;
  /** True if data arrived since the last beat. */
  hasReceived: boolean;
  /** Beats since the unfinished message started. */
  beats: number;
  /** Total bytes sent at the last beat. */
  sent: number;
}

interface MonitoredBrowser {
  readonly socket: WebSocket;
  readonly session: string;
  /** True if data arrived since the last beat. */
  hasReceived: boolean;
}

/**
 * Pings clients and browsers every 15 s, and closes sockets that do not respond. Also closes a client that does not
 * read, does not finish a message in time, or sends a message that is too large.
 */
export class SocketMonitor {
  readonly #log: PlatformLog;
  readonly #monitored = new Set<MonitoredSocket>();
  readonly #browsers = new Set<MonitoredBrowser>();
  readonly #beats: NodeJS.Timeout;
  /** Approximate memory of all unfinished messages in bytes. */
  #unfinished = 0;

  constructor(log: PlatformLog) {
    this.#log = log;
    this.#beats = setInterval(() => this.#beatAll(), BEAT_MS);
    this.#beats.unref();
  }

  add(socket: WebSocket, connection: Duplex, session: string): void {
    const kept = { socket, connection, session, frames: new FrameParser(), hasReceived: true, beats: 0, sent: 0 };
    this.#monitored.add(kept);
    connection.on('data', (chunk: Buffer) => this.#read(kept, chunk));
    socket.on('message', () => (kept.beats = 0));
    socket.on('close', () => this.#forget(kept));
  }

  /** Pings a browser's socket: a router may drop the connection without telling either side. */
  addBrowser({ socket, connection }: BrowserSocket, session: string): void {
    const kept = { socket, session, hasReceived: true };
    this.#browsers.add(kept);
    // A large message may take longer than a beat, so every chunk counts.
    connection.on('data', () => (kept.hasReceived = true));
    socket.on('close', () => this.#browsers.delete(kept));
  }

  close(): void {
    clearInterval(this.#beats);
  }

  #read(kept: MonitoredSocket, chunk: Buffer): void {
    if (!this.#monitored.has(kept)) return;
    const { frames } = kept;
    kept.hasReceived = true;
    const before = frames.held;
    frames.read(chunk);
    this.#unfinished += frames.held - before;
    if (frames.size > MAX_MESSAGE_BYTES && frames.beginning !== undefined && !UPLOAD.test(frames.beginning))
      return this.#cut(kept, TOO_BIG, `A message can have at most ${MAX_MESSAGE_BYTES} bytes.`);
    if (this.#unfinished <= MAX_UNFINISHED_BYTES) return;
    const largest = [...this.#monitored].reduce((most, each) => (each.frames.held > most.frames.held ? each : most));
    this.#cut(largest, TOO_BIG, 'The server has no memory left for this message. Send smaller messages.');
  }

  /** An error in one check closes that socket only. */
  #beatAll(): void {
    const log = this.#log;
    for (const kept of this.#browsers) {
      const { socket, session } = kept;
      guardHandler({ name: 'browser', log, facts: { session }, end: () => socket.terminate() }, () =>
        this.#ask(kept),
      )();
    }
    for (const kept of this.#monitored) {
      const { socket, session } = kept;
      guardHandler({ name: 'gateway', log, facts: { session }, end: () => socket.terminate() }, () =>
        this.#beat(kept),
      )();
    }
  }

  #ask(kept: MonitoredBrowser): void {
    const { socket, session } = kept;
    // While reading is paused for slow clients, pongs do not arrive.
    const isHeld = heldFor(socket).size > 0;
    if (kept.hasReceived || isHeld) {
      kept.hasReceived = isHeld;
      return socket.ping();
    }
    this.#log.warn({ session }, 'closed a connection to a browser that does not respond');
    socket.terminate();
  }

  #beat(kept: MonitoredSocket): void {
    const { socket, frames } = kept;
    const isWaiting = isWaitingForOthers(kept);
    // A socket that is paused for another full socket receives no pongs.
    if (!isWaiting && !isAlive(kept)) {
      this.#log.warn({ session: kept.session }, 'closed a client connection that does not respond or does not read');
      return socket.terminate();
    }
    kept.hasReceived = isWaiting;
    kept.sent = sentBytes(kept);
    if (frames.held > 0 && !isWaiting) kept.beats += 1;
    if (kept.beats > (frames.size > MAX_MESSAGE_BYTES ? UPLOAD_BEATS : MESSAGE_BEATS))
      this.#cut(kept, POLICY_CODE, 'A message was not complete in time.');
    else socket.ping();
  }

  #cut(kept: MonitoredSocket, code: number, reason: string): void {
    this.#forget(kept);
    this.#log.warn({ session: kept.session, reason }, 'closed a client connection');
    cutSocket(kept.socket, code, reason);
  }

  #forget(kept: MonitoredSocket): void {
    if (this.#monitored.delete(kept)) this.#unfinished -= kept.frames.held;
  }
}

function isWaitingForOthers({ socket }: MonitoredSocket): boolean {
  return [...heldFor(socket)].some((full) => full !== socket);
}

/** A client that reads too slowly is alive as long as it reads anything. */
function isAlive(kept: MonitoredSocket): boolean {
  return heldFor(kept.socket).has(kept.socket) ? sentBytes(kept) > kept.sent : kept.hasReceived;
}

function sentBytes({ connection }: MonitoredSocket): number {
  const { bytesWritten = 0 } = connection as { readonly bytesWritten?: number };
  return bytesWritten - connection.writableLength;
}
