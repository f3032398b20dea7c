import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** Stands between two sides of a connection and can be cut. */
export interface Relay extends AsyncDisposable {
  readonly port: number;
  /** Where what comes goes on to, on this machine. */
  target: number;
  /** While true, nobody is let in. */
  isClosed: boolean;
  /** Cuts every connection, as a network that fails does. */
  cut(): void;
}

/** Starts a relay on 127.0.0.1. */
export async function startRelay(): Promise<Relay> {
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    if (relay.isClosed) return void client.destroy();
    const target = connect(relay.target, '127.0.0.1');
    for (const [from, to] of [
      [client, target],
      [target, client],
    ] as const) {
      sockets.add(from);
      from.setNoDelay(true);
      from.pipe(to);
      from.on('error', () => from.destroy());
      from.once('close', () => {
        sockets.delete(from);
        to.destroy();
      });
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const cut = (): void => sockets.forEach((socket) => socket.resetAndDestroy());
  const relay: Relay = {
    port: (server.address() as AddressInfo).port,
    target: 0,
    isClosed: false,
    cut,
    [Symbol.asyncDispose]: async () => {
      server.close();
      cut();
      await once(server, 'close');
    },
  };
  return relay;
}
