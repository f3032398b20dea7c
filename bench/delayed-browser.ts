import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** A relay that simulates network latency to a browser. */
export interface DelayedBrowser extends AsyncDisposable {
  readonly url: string;
}

/** Opens a TCP relay to a DevTools URL that delays all data by `oneWayMs` in each direction. */
export async function delayBrowser(browserUrl: string, oneWayMs: number): Promise<DelayedBrowser> {
  const target = new URL(browserUrl);
  const sockets = new Set<Socket>();
  const relay = createServer((near) => {
    const far = connect(Number(target.port), target.hostname);
    for (const socket of [near, far]) sockets.add(socket.setNoDelay(true));
    relayDelayed(near, far, oneWayMs);
    relayDelayed(far, near, oneWayMs);
  });
  relay.listen(0, '127.0.0.1');
  await once(relay, 'listening');
  const address = relay.address();
  if (address === null || typeof address === 'string') throw new Error('The relay listens on no TCP port.');
  return {
    url: `ws://127.0.0.1:${address.port}${target.pathname}`,
    [Symbol.asyncDispose]: async () => {
      const closed = once(relay, 'close');
      relay.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

function relayDelayed(from: Socket, to: Socket, oneWayMs: number): void {
  let last: Promise<unknown> = Promise.resolve();
  const later = (deliver: () => void) => {
    last = Promise.all([last, sleep(oneWayMs)]).then(deliver);
  };
  from.on('data', (piece) => later(() => to.writable && to.write(piece)));
  from.on('close', () => later(() => to.destroy()));
  from.on('error', () => to.destroy());
}
