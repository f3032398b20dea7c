import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A SOCKS5 proxy that asks nobody who is there, and notes where it was asked to connect to. */
export interface SocksServer extends AsyncDisposable {
  /** `127.0.0.1:port`. */
  readonly host: string;
  /** `host:port` as it was asked; a name that comes here as a name was not looked up before. */
  readonly asked: readonly string[];
}

const VERSION = 5;
const NO_PASSWORD = 0;
const SUCCEEDED = 0;
const NOT_ALLOWED = 2;

/** Starts a proxy that leads every name ending in `.test` to a port of this machine and turns down the rest. */
export async function serveSocks(port: number): Promise<SocksServer> {
  const asked: string[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => socket.destroy());
    void talk(socket, port, asked).catch(() => socket.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    host: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    [Symbol.asyncDispose]: async () => {
      server.close();
      for (const socket of sockets) socket.destroy();
      await once(server, 'close').catch(() => undefined);
    },
  };
}

async function talk(socket: Socket, port: number, asked: string[]): Promise<void> {
  const [, methods = 0] = await take(socket, 2);
  await take(socket, methods);
  socket.write(Buffer.from([VERSION, NO_PASSWORD]));
  const [, , , kind = 0] = await take(socket, 4);
  const host = await takeHost(socket, kind);
  const target = `${host}:${(await take(socket, 2)).readUInt16BE()}`;
  asked.push(target);
  const isKnown = /\.test:/.test(target);
  socket.write(Buffer.from([VERSION, isKnown ? SUCCEEDED : NOT_ALLOWED, 0, 1, 0, 0, 0, 0, 0, 0]));
  if (!isKnown) return void socket.end();
  const onward = connect(port, '127.0.0.1');
  onward.on('error', () => socket.destroy());
  onward.pipe(socket).pipe(onward);
}

/** The kinds of address: 1 is four bytes, 3 a name after its length, 4 sixteen bytes. */
async function takeHost(socket: Socket, kind: number): Promise<string> {
  if (kind === 3) return String(await take(socket, (await take(socket, 1)).readUInt8()));
  return [...(await take(socket, kind === 1 ? 4 : 16))].join('.');
}

/** The next bytes of a socket, which may come in pieces. */
async function take(socket: Socket, length: number): Promise<Buffer> {
  for (;;) {
    const bytes = socket.read(length) as Buffer | null;
    if (bytes) return bytes;
    if (length === 0) return Buffer.alloc(0);
    await once(socket, 'readable');
  }
}
