/** Opens a page with a script that never ends, makes every kind of call on it, and tells how far memory went above idle, and what failed. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { Driver } from '../../../src/index.ts';
import { MemoryWatch } from '../memory.ts';

const [, , script = ''] = process.argv;
/** Long enough for a process that keeps 16 MB of each second. */
const ATTACK_MS = 20_000;

const server = createServer((request, response) => {
  request.resume();
  response.setHeader('content-type', 'text/html');
  response.end(
    `<!doctype html><title>Shop</title><button>Save</button><p>Words</p><script>setTimeout(() => { ${script} })</script>`,
  );
}).listen(0, '127.0.0.1');
await once(server, 'listening');
const driver = new Driver({
  env: 'LOCAL',
  model: 'offline/lexical',
  disableLoggerBackend: true,
  domSettleTimeout: 3000,
});
await driver.init();
const [page] = driver.context.pages();
for (const event of ['request', 'response', 'console', 'pageerror'] as const) page?.on(event, () => undefined);

const memory = new MemoryWatch();
const failures: string[] = [];
const calls = [
  () => page?.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`, { waitUntil: 'commit' }),
  () => sleep(ATTACK_MS),
  () => page?.snapshot(),
  () => driver.act('click Save'),
  () => driver.observe('the button that saves'),
  () => driver.extract(),
];
for (const call of calls) {
  try {
    await call();
  } catch (error) {
    failures.push(error instanceof Error && 'code' in error ? `${error.name} ${String(error.code)}` : String(error));
  }
}
process.stdout.write(`${JSON.stringify({ aboveIdle: memory.aboveIdle, failures })}\n`);
memory[Symbol.dispose]();
await driver.close({ force: true });
server.close();
server.closeAllConnections();
