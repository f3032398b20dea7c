import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { WebSocket, WebSocketServer } from 'ws';

interface WireMessage {
  readonly id?: number;
  readonly method?: string;
  readonly sessionId?: string;
}

/** Replies wait so long that commands sent at once are all counted before the first of them is answered. */
const REPLY_DELAY_MS = 10;

/** What went over the wire since `start()`. */
export interface Traffic {
  /** The commands in the order they were sent. */
  readonly commands: readonly string[];
  /** The longest chain of commands each of which was sent after the reply of the one before. */
  readonly sequentialRoundTrips: number;
}

/** Stands between the library and a browser, passes every byte on and keeps count. */
export class CdpProxy implements AsyncDisposable {
  readonly #server: WebSocketServer;
  readonly #sockets = new Set<WebSocket>();
  #commands: string[] = [];
  #depthById = new Map<number, number>();
  #deepestReply = 0;
  #beside: ReadonlySet<string> = new Set();

  private constructor(server: WebSocketServer) {
    this.#server = server;
  }

  /** Starts a proxy in front of a browser's DevTools socket. */
  static async start(browserUrl: string): Promise<CdpProxy> {
    const server = new WebSocketServer({
      host: '127.0.0.1',
      port: 0,
      perMessageDeflate: false,
      maxPayload: 512 * 1024 * 1024,
    });
    await once(server, 'listening');
    const proxy = new CdpProxy(server);
    server.on('connection', (client) => proxy.#connect(client, browserUrl));
    return proxy;
  }

  get url(): string {
    return `ws://127.0.0.1:${(this.#server.address() as AddressInfo).port}/`;
  }

  /** Begins a new count. Nothing waits for the replies of commands of `beside`, so that they begin no chain. */
  start({ beside = [] }: { beside?: readonly string[] } = {}): void {
    this.#beside = new Set(beside);
    this.#commands = [];
    this.#depthById = new Map();
    this.#deepestReply = 0;
  }

  /** The count so far. */
  read(): Traffic {
    return { commands: [...this.#commands], sequentialRoundTrips: Math.max(0, ...this.#depthById.values()) };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const socket of this.#sockets) socket.terminate();
    this.#server.close();
    await once(this.#server, 'close');
  }

  #connect(client: WebSocket, browserUrl: string): void {
    const browser = new WebSocket(browserUrl, { perMessageDeflate: false, maxPayload: 512 * 1024 * 1024 });
    const early: string[] = [];
    this.#sockets.add(client).add(browser);
    client.on('message', (data) => {
      this.#sent(JSON.parse(String(data)) as WireMessage);
      if (browser.readyState === WebSocket.OPEN) browser.send(String(data));
      else early.push(String(data));
    });
    browser.on('open', () => early.forEach((message) => browser.send(message)));
    browser.on('message', (data) => {
      setTimeout(() => {
        this.#received(JSON.parse(String(data)) as WireMessage);
        client.send(String(data));
      }, REPLY_DELAY_MS);
    });
    client.on('close', () => browser.close());
    browser.on('close', () => client.close());
  }

  #sent({ id = 0, method = '' }: WireMessage): void {
    this.#commands.push(method);
    if (!this.#beside.has(method)) this.#depthById.set(id, this.#deepestReply + 1);
  }

  #received({ id }: WireMessage): void {
    const depth = id === undefined ? undefined : this.#depthById.get(id);
    if (depth !== undefined) this.#deepestReply = Math.max(this.#deepestReply, depth);
  }
}
