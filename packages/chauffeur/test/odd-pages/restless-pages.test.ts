import type { ServerResponse } from 'node:http';
import { expect, test } from 'vitest';
import { oddPages } from './odd-page.ts';

const odd = oddPages({ domSettleTimeout: 20_000 });
const AT_REST = 'the page had not come to rest';

/** Answers after some milliseconds. */
function after(ms: number): (request: unknown, response: ServerResponse) => void {
  return (_, response) => setTimeout(() => response.end('answer'), ms);
}

test('a page that polls all the time is at rest, for act and for observe', async () => {
  odd.server.page('/poll', after(0));
  await odd.open(
    `<script>setInterval(() => fetch('/poll?at=' + Date.now()), 30)</script><button onclick="this.textContent = 'Done'">Do it</button>`,
  );
  const { message, effect } = await odd.act('button');
  expect(effect).toBe('changed');
  expect(message).not.toContain(AT_REST);
  expect(await odd.driver.observe()).toHaveLength(1);
}, 15_000);

test('a page that asks anew as soon as it is answered is at rest after a few rounds', async () => {
  odd.server.page('/long-poll', after(200));
  await odd.open(
    `<script>const ask = () => fetch('/long-poll').then(ask); ask()</script><button onclick="this.textContent = 'Done'">Do it</button>`,
  );
  expect((await odd.act('button')).message).not.toContain(AT_REST);
}, 15_000);

test('an answer that is streamed as long as the page is open does not keep act waiting', async () => {
  odd.server.page('/stream', (request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const timer = setInterval(() => response.write('data: tick\n\n'), 50);
    request.on('close', () => clearInterval(timer));
  });
  await odd.open(`<button onclick="this.textContent = 'Listening'; fetch('/stream')">Listen</button>`);
  expect((await odd.act('button')).message).not.toContain(AT_REST);
}, 15_000);

test('requests that one action makes one after the other to different addresses, or together to one, are all waited for', async () => {
  odd.server.page('/query', after(60));
  odd.server.page('/rest', after(60));
  await odd.open(`<button onclick="load()">Load</button><p></p><script>
    const ask = (address) => fetch(address).then((answer) => answer.text());
    async function load() {
      const answers = await Promise.all(Array.from({ length: 8 }, (_, i) => ask('/query?' + i)));
      answers.push(await ask('/rest'), await ask('/query'), await ask('/rest'));
      document.querySelector('p').textContent = answers.length;
    }
  </script>`);
  await odd.act('button');
  expect(await odd.page.locator('p').textContent()).toBe('11');
});

test('a button that changes color under the pointer is settled while it still does, a panel that slides in is not', async () => {
  await odd.open(`<style>button { transition: background-color 2s, box-shadow 2s; background-color: white } button:hover { background-color: red; box-shadow: 0 0 9px }
      #panel { width: 0; transition: width 300ms } .open { width: 200px !important }</style>
    <button onclick="this.textContent = 'Done'">Do it</button><button id="slide" onclick="panel.className = 'open'">Slide</button><div id="panel">Panel</div>`);
  const isRunning = (): Promise<unknown> => odd.page.evaluate('document.getAnimations().length > 0');
  await odd.act('button');
  expect(await isRunning()).toBe(true);
  await odd.page.locator('#slide').hover();
  expect(await isRunning()).toBe(true);
  await odd.act('#slide');
  expect(await odd.page.evaluate('getComputedStyle(panel).width')).toBe('200px');
});
