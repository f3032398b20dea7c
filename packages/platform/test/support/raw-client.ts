import { once } from 'node:events';
import { WebSocket } from 'ws';

/** A client that sends what it likes over a socket of the gateway. */
export interface RawClient {
  readonly socket: WebSocket;
  /** Sends a text as it is and gives what comes back with this id. */
  send(text: string, id: number): Promise<Reply>;
  /** Sends a command and gives what comes back. */
  command(method: string, params?: object): Promise<Reply>;
  /** The code and the reason that the socket is closed with. */
  readonly closed: Promise<readonly [code: number, reason: string]>;
}

/** What a browser, or the gateway in its place, answers. */
export interface Reply {
  readonly id: number;
  readonly result?: Readonly<Record<string, unknown>>;
  readonly error?: { readonly code: number; readonly message: string };
}

/** Connects to an address of the gateway. */
export async function connectRaw(url: string): Promise<RawClient> {
  const socket = new WebSocket(url, { perMessageDeflate: false });
  const waiting = new Map<number, (reply: Reply) => void>();
  socket.on('message', (data) => {
    const reply = JSON.parse(String(data)) as Reply;
    waiting.get(reply.id)?.(reply);
  });
  const closed = once(socket, 'close').then(([code, reason]) => [Number(code), String(reason)] as const);
  // A socket that never opens is told by the wait for it.
  closed.catch(() => undefined);
  await once(socket, 'open');
  let last = 1000;
  const send = (text: string, id: number): Promise<Reply> => {
    const { promise, resolve } = Promise.withResolvers<Reply>();
    waiting.set(id, resolve);
    socket.send(text);
    return promise;
  };
  const command = (method: string, params: object = {}): Promise<Reply> => {
    last += 1;
    return send(JSON.stringify({ id: last, method, params }), last);
  };
  return { socket, send, command, closed };
}

/** The status and the body with which a socket is refused. */
export async function refusalOf(url: string, options: object = {}): Promise<string> {
  const socket = new WebSocket(url, options);
  const { promise, resolve } = Promise.withResolvers<string>();
  socket.on('unexpected-response', (_request, response) => {
    let body = '';
    response.on('data', (chunk) => (body += String(chunk)));
    response.on('end', () => resolve(`${response.statusCode} ${body}`));
  });
  socket.on('open', () => {
    socket.terminate();
    resolve('was let in');
  });
  socket.on('error', (error) => resolve(error.message));
  return promise;
}
