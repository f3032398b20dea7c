import { once } from 'node:events';
import { WebSocket } from 'ws';

/** A client that sends arbitrary messages to the gateway. */
export interface RawClient {
  readonly socket: WebSocket;
  /** Sends raw text and returns the answer with this id. */
  send(text: string, id: number): Promise<Reply>;
  /** Sends a command and returns the answer. */
  command(method: string, params?: object): Promise<Reply>;
  /** Code and reason of the closed socket. */
  readonly closed: Promise<readonly [code: number, reason: string]>;
}

/** An answer of a browser or the gateway. */
export interface Reply {
  readonly id: number;
  readonly result?: Readonly<Record<string, unknown>>;
  readonly error?: { readonly code: number; readonly message: string };
}

/** Connects to the gateway. */
export async function connectRaw(url: string): Promise<RawClient> {
  const socket = new WebSocket(url, { perMessageDeflate: false });
  const waiting = new Map<number, (reply: Reply) => void>();
  socket.on('message', (data) => {
    const reply = JSON.parse(String(data)) as Reply;
    waiting.get(reply.id)?.(reply);
  });
  const closed = once(socket, 'close').then(([code, reason]) => [Number(code), String(reason)] as const);
  // The wait for the socket reports that it never opened.
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

/** Returns status and body of a rejected upgrade. */
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
    resolve('was accepted');
  });
  socket.on('error', (error) => resolve(error.message));
  return promise;
}
