import { once } from 'node:events';
import { createServer, type IncomingMessage, request as send } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';

/** A proxy that lets those in who know its password, and notes what it was asked for. */
export interface ProxyServer extends AsyncDisposable {
  /** `127.0.0.1:port`. */
  readonly host: string;
  /** What it let through: `GET http://…` and `CONNECT host:port`. */
  readonly passed: readonly string[];
  /** Authorization headers for sites that came along. */
  readonly authorizations: readonly string[];
  /** For what it asked who is there. */
  readonly challenges: readonly string[];
  /** From now on another password is right. */
  setPassword(password: string): void;
}

/** Starts a proxy that leads every name ending in `.test` to a port of this machine. */
export async function serveProxy(password: string | undefined, port: number): Promise<ProxyServer> {
  const passed: string[] = [];
  const authorizations: string[] = [];
  const sockets = new Set<Socket>();
  let expected = password;
  const challenges: string[] = [];
  const isLetIn = ({ headers, url = '' }: IncomingMessage): boolean => {
    const given = headers['proxy-authorization'];
    if (expected === undefined || given === `Basic ${Buffer.from(`user:${expected}`).toString('base64')}`) return true;
    challenges.push(url);
    return false;
  };
  const server = createServer((request, response) => {
    if (!isLetIn(request)) {
      response.writeHead(407, { 'proxy-authenticate': 'Basic realm="proxy"', 'content-type': 'text/plain' });
      response.end('who is there?');
      return;
    }
    if (request.headers.authorization !== undefined) authorizations.push(request.headers.authorization);
    const url = new URL(request.url ?? '');
    passed.push(`${request.method} ${url.href}`);
    const onward = send({
      host: '127.0.0.1',
      port,
      path: url.pathname + url.search,
      method: request.method ?? 'GET',
      headers: request.headers,
    });
    onward.on('response', (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    onward.on('error', () => response.destroy());
    request.pipe(onward);
  });
  server.on('connect', (request, socket: Socket) => {
    socket.on('error', () => socket.destroy());
    if (!isLetIn(request)) {
      socket.end('HTTP/1.1 407 Who\r\nProxy-Authenticate: Basic realm="proxy"\r\nContent-Length: 0\r\n\r\n');
      return;
    }
    passed.push(`CONNECT ${request.url}`);
    const onward = connect(port, '127.0.0.1', () => socket.write('HTTP/1.1 200 OK\r\n\r\n'));
    onward.on('error', () => socket.destroy());
    onward.pipe(socket).pipe(onward);
  });
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    host: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    passed,
    authorizations,
    challenges,
    setPassword: (next) => {
      expected = next;
    },
    [Symbol.asyncDispose]: async () => {
      server.close();
      for (const socket of sockets) socket.destroy();
      await once(server, 'close').catch(() => undefined);
    },
  };
}
