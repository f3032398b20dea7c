/**
 * Opens a page that repeats something, makes every kind of call on it, and tells how far memory went above idle, and
 * what failed. The page counts its turns: calls begin after `turns` of them, and it ends after twice as many, however
 * long a busy machine takes for them.
 */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Driver } from '../../../src/index.ts';
import { MemoryWatch } from '../memory.ts';

const [, , script = '', turns = '0'] = process.argv;
const enough = Promise.withResolvers<void>();

/** What `script` repeats functions by. */
const repeat = `
  let turns = 0;
  const tell = () => navigator.sendBeacon('/enough');
  const repeat = (act, ms) => {
    const timer = setInterval(() => {
      turns += 1;
      if (turns === ${turns}) tell();
      if (turns > 2 * ${turns}) clearInterval(timer);
      else act();
    }, ms);
  };`;

const server = createServer((request, response) => {
  if (request.url === '/enough') enough.resolve();
  request.resume();
  response.setHeader('content-type', 'text/html');
  // Chromium accepts 256 KB.
  if (request.url === '/long-headers') for (let i = 0; i < 10; i += 1) response.setHeader(`x-${i}`, 'h'.repeat(10_000));
  response.end(
    `<!doctype html><title>Shop</title><button>Save</button><p>Words</p><script>${repeat} setTimeout(() => { ${script}; if (${turns} === 0) tell() })</script>`,
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
  () => enough.promise,
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
