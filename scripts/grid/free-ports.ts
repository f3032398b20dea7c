import { once } from 'node:events';
import { createServer } from 'node:net';

/** A range below the ephemeral ports, so that no outgoing connection takes a port before it is used. */
const FIRST = 15_000;
const LAST = 31_000;

/** Returns unused ports of 127.0.0.1. */
export async function freePorts(count: number): Promise<number[]> {
  const ports = new Set<number>();
  while (ports.size < count) {
    const port = FIRST + Math.floor(Math.random() * (LAST - FIRST));
    if (await isFree(port)) ports.add(port);
  }
  return [...ports];
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer();
  server.listen(port, '127.0.0.1');
  try {
    await once(server, 'listening');
  } catch {
    // The port is in use.
    return false;
  }
  server.close();
  await once(server, 'close');
  return true;
}
