import { once } from 'node:events';
import { createServer } from 'node:net';

/** Below those that the system gives to whoever connects: between the question and the use nobody gets one by chance. */
const FIRST = 15_000;
const LAST = 31_000;

/** Ports of 127.0.0.1 that nobody listens at. */
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
    // Somebody has it.
    return false;
  }
  server.close();
  await once(server, 'close');
  return true;
}
