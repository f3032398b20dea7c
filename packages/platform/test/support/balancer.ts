import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A load balancer: each connection goes to the next server that accepts it. */
export interface Balancer extends AsyncDisposable {
  readonly url: string;
  /** Ports of local servers. */
  readonly targets: number[];
}

/** Starts a balancer on 127.0.0.1. */
export async function startBalancer(): Promise<Balancer> {
  const targets: number[] = [];
  const sockets = new Set<Socket>();
  let turn = 0;
  const server = createServer((client) => {
    sockets.add(client);
    client.on('error', () => client.destroy());
    client.on('close', () => sockets.delete(client));
    turn += 1;
    pass(client, [...targets.slice(turn % targets.length), ...targets.slice(0, turn % targets.length)]);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    targets,
    [Symbol.asyncDispose]: async () => {
      server.close();
      for (const socket of sockets) socket.destroy();
      await once(server, 'close');
    },
  };
}

function pass(client: Socket, [port, ...others]: readonly number[]): void {
  if (port === undefined) return void client.destroy();
  const target = connect(port, '127.0.0.1');
  let isConnected = false;
  target.once('connect', () => {
    isConnected = true;
    client.pipe(target).pipe(client);
  });
  target.on('error', () => (isConnected ? client.destroy() : pass(client, others)));
  client.on('close', () => target.destroy());
  target.on('close', () => isConnected && client.destroy());
}
