import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { Transform } from 'node:stream';

/** Stands between two sides of a connection and can be cut. */
export interface Relay extends AsyncDisposable {
  readonly port: number;
  /** Where what comes goes on to, on this machine. */
  target: number;
  /** While true, nobody is let in. */
  isClosed: boolean;
  /** Milliseconds for which each piece is held back, in each direction. */
  delay: number;
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
      from.pipe(held(() => relay.delay)).pipe(to);
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
    delay: 0,
    cut,
    [Symbol.asyncDispose]: async () => {
      server.close();
      cut();
      await once(server, 'close');
    },
  };
  return relay;
}

/** Holds back what passes, each piece for as long as is said when it comes. */
function held(delay: () => number): Transform {
  return new Transform({
    transform(piece, _encoding, done) {
      const ms = delay();
      if (ms === 0) return done(undefined, piece);
      setTimeout(() => this.push(piece), ms);
      done();
    },
    flush(done) {
      setTimeout(done, delay());
    },
  });
}
