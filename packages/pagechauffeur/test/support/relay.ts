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

/** Holds back what passes, each piece for as long as is said when it comes, and never past those before it. */
function held(delay: () => number): Transform {
  const waiting: Buffer[] = [];
  let due = 0;
  const timeLeft = (): number => {
    due = Math.max(due, performance.now() + delay());
    return Math.max(0, due - performance.now());
  };
  return new Transform({
    transform(piece: Buffer, _encoding, done) {
      const ms = timeLeft();
      if (ms === 0 && waiting.length === 0) return done(undefined, piece);
      waiting.push(piece);
      setTimeout(() => {
        const next = waiting.shift();
        if (next) this.push(next);
      }, ms);
      done();
    },
    flush(done) {
      const end = (): void => {
        for (const piece of waiting.splice(0)) this.push(piece);
        done();
      };
      setTimeout(end, timeLeft());
    },
  });
}
