import type { Duplex } from 'node:stream';
import type { WebSocket } from 'ws';
import type { BrowserSocket } from './dial-browser.ts';
import { guardHandler } from '../guard-handler.ts';
import type { PlatformLog } from '../platform-log.ts';
import { cutSocket, heldFor, POLICY_CODE } from './backpressure.ts';
import { FrameParser } from './frame-parser.ts';

/** "Message Too Big" in the registry of WebSocket close codes of RFC 6455. */
const TOO_BIG = 1009;
const MIB = 1024 * 1024;
/** What a message of a client may have, and one that brings files to a page. */
export const MAX_MESSAGE_BYTES = 16 * MIB;
export const MAX_UPLOAD_BYTES = 128 * MIB;
/** What all messages that are not finished may take in this process. */
const MAX_UNFINISHED_BYTES = 144 * MIB;
/** The commands by which drivers bring files, and answers to requests, into a page. */
const UPLOAD = /"method"\s*:\s*"(?:Runtime\.callFunctionOn|Fetch\.fulfillRequest)"/;

const BEAT_MS = 15_000;
/** For so many beats a message may come in pieces. */
const MESSAGE_BEATS = 4;
const UPLOAD_BEATS = 20;

/** A socket of a client, with its connection. */
interface MonitoredSocket {
  readonly socket: WebSocket;
  readonly connection: Duplex;
  readonly frames: FrameParser;
  readonly session: string;
  /** Whether anything came since the last beat. */
  isHeard: boolean;
  /** Beats since its unfinished message began. */
  beats: number;
  /** Bytes that had gone out by the last beat. */
  sent: number;
}

/** A socket to a browser. */
interface MonitoredBrowser {
  readonly socket: WebSocket;
  readonly session: string;
  /** True if data arrived since the last beat. */
  isHeard: boolean;
}

/**
 * Keeps the sockets of clients within bounds and pings browsers. A socket ends if it does not answer pings, does not read, does not finish a
 * message in time, or sends one that is too large.
 */
export class SocketMonitor {
  readonly #log: PlatformLog;
  readonly #monitored = new Set<MonitoredSocket>();
  readonly #browsers = new Set<MonitoredBrowser>();
  readonly #beats: NodeJS.Timeout;
  /** What all unfinished messages take now. */
  #unfinished = 0;

  constructor(log: PlatformLog) {
    this.#log = log;
    this.#beats = setInterval(() => this.#beatAll(), BEAT_MS);
    this.#beats.unref();
  }

  /** Begins to watch a socket that has just been opened on this connection. */
  add(socket: WebSocket, connection: Duplex, session: string): void {
    const kept = { socket, connection, session, frames: new FrameParser(), isHeard: true, beats: 0, sent: 0 };
    this.#monitored.add(kept);
    connection.on('data', (chunk: Buffer) => this.#read(kept, chunk));
    socket.on('message', () => (kept.beats = 0));
    socket.on('close', () => this.#forget(kept));
  }

  /** Watches a socket to a browser: a router may drop a connection without telling either side. */
  addBrowser({ socket, connection }: BrowserSocket, session: string): void {
    const kept = { socket, session, isHeard: true };
    this.#browsers.add(kept);
    // A large message may take longer than a beat.
    connection.on('data', () => (kept.isHeard = true));
    socket.on('close', () => this.#browsers.delete(kept));
  }

  close(): void {
    clearInterval(this.#beats);
  }

  #read(kept: MonitoredSocket, chunk: Buffer): void {
    if (!this.#monitored.has(kept)) return;
    const { frames } = kept;
    kept.isHeard = true;
    const before = frames.held;
    frames.read(chunk);
    this.#unfinished += frames.held - before;
    if (frames.size > MAX_MESSAGE_BYTES && frames.beginning !== undefined && !UPLOAD.test(frames.beginning))
      return this.#cut(kept, TOO_BIG, `A message may have ${MAX_MESSAGE_BYTES} bytes at most.`);
    if (this.#unfinished <= MAX_UNFINISHED_BYTES) return;
    const largest = [...this.#monitored].reduce((most, each) => (each.frames.held > most.frames.held ? each : most));
    this.#cut(largest, TOO_BIG, 'Too much waits for the end of this message. Send smaller ones.');
  }

  /** A socket whose check throws ends. The others are still checked. */
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
    // While reading is paused because clients are full, no pong is seen.
    const isHeld = heldFor(socket).size > 0;
    if (kept.isHeard || isHeld) {
      kept.isHeard = isHeld;
      return socket.ping();
    }
    this.#log.warn({ session }, 'a connection to a browser was cut off: the browser does not answer');
    socket.terminate();
  }

  #beat(kept: MonitoredSocket): void {
    const { socket, frames } = kept;
    const isWaiting = isWaitingForOthers(kept);
    // While it is not read because others have no room, it can answer nothing.
    if (!isWaiting && !isAlive(kept)) {
      this.#log.warn({ session: kept.session }, 'a client was cut off: it does not answer, or does not read');
      return socket.terminate();
    }
    kept.isHeard = isWaiting;
    kept.sent = sentBytes(kept);
    if (frames.held > 0 && !isWaiting) kept.beats += 1;
    if (kept.beats > (frames.size > MAX_MESSAGE_BYTES ? UPLOAD_BEATS : MESSAGE_BEATS))
      this.#cut(kept, POLICY_CODE, 'A message was not finished in time.');
    else socket.ping();
  }

  #cut(kept: MonitoredSocket, code: number, reason: string): void {
    this.#forget(kept);
    this.#log.warn({ session: kept.session, reason }, 'a client was cut off');
    cutSocket(kept.socket, code, reason);
  }

  #forget(kept: MonitoredSocket): void {
    if (this.#monitored.delete(kept)) this.#unfinished -= kept.frames.held;
  }
}

function isWaitingForOthers({ socket }: MonitoredSocket): boolean {
  return [...heldFor(socket)].some((full) => full !== socket);
}

/** A socket that is not read because its own client takes nothing lives as long as that takes a little. */
function isAlive(kept: MonitoredSocket): boolean {
  return heldFor(kept.socket).has(kept.socket) ? sentBytes(kept) > kept.sent : kept.isHeard;
}

function sentBytes({ connection }: MonitoredSocket): number {
  const { bytesWritten = 0 } = connection as { readonly bytesWritten?: number };
  return bytesWritten - connection.writableLength;
}
