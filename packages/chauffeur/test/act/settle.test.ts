import { afterAll, beforeAll, expect, test } from 'vitest';
import { startDriver, type TestDriver } from '../support/driver-for-test.ts';
import { serve, type TestServer } from '../support/serve.ts';

let server: TestServer;
let started: TestDriver;

beforeAll(async () => {
  server = await serve();
  started = await startDriver();
});

afterAll(async () => {
  await started?.driver.close();
  await server?.close();
});

test('what a page fetches for itself while it loads is there when a verb reads it', async () => {
  server.page('/data', (_request, response) => {
    setTimeout(() => response.end('Loaded later'), 500);
  });
  const url = server.page(
    '/',
    `<title>Loads</title><p>Loading</p><script>fetch('/data').then((r) => r.text()).then((t) => { document.querySelector('p').textContent = t })</script>`,
  );
  await started.page.goto(url);
  expect((await started.driver.extract()).pageText).toBe('- Loaded later');
});

test('a stream and a socket that never end do not keep a page from being settled', async () => {
  server.page('/stream', (_request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' }).write('data: hello\n\n');
  });
  server.page('/never', () => undefined);
  const url = server.page(
    '/',
    `<title>Streams</title><button onclick="this.textContent = 'Done'">Go</button>
    <script>new EventSource('/stream'); navigator.sendBeacon('/never'); new Image().src = '/never'; new WebSocket('ws://' + location.host + '/never')</script>`,
  );
  await started.page.goto(url);
  const result = await started.driver.act(
    { selector: 'button', description: 'Go', method: 'click', arguments: [] },
    { timeout: 10_000 },
  );
  expect(result).toMatchObject({ effect: 'changed', message: 'Done: click on button "Go". The page changed.' });
});

test('a clock that ticks in every frame does not keep a page from being settled, nor count as an effect', async () => {
  const url = server.page(
    '/',
    `<title>Clock</title><p></p><button>Nothing</button>
    <script>(function tick() { document.querySelector('p').textContent = 'Time: ' + performance.now(); requestAnimationFrame(tick) })()</script>`,
  );
  await started.page.goto(url);
  const result = await started.driver.act(
    { selector: 'button', description: '', method: 'click', arguments: [] },
    { timeout: 10_000 },
  );
  expect(result.message).not.toContain('come to rest');
});

test('an animation that a click starts is waited for', async () => {
  const url = server.page(
    '/',
    `<title>Slides</title><style>#panel { height: 40px; transform: translateX(-300px); transition: transform 400ms } #panel.open { transform: none }</style>
    <button onclick="panel.className = 'open'">Open</button><div id="panel">Panel</div>`,
  );
  await started.page.goto(url);
  await started.driver.act({ selector: 'button', description: '', method: 'click', arguments: [] });
  expect(await started.page.evaluate("getComputedStyle(document.querySelector('#panel')).transform")).toBe('none');
});

test('a redirect by script after the click is followed to the page it ends in', async () => {
  server.page('/end', '<title>End</title><h1>The end</h1>');
  server.page('/middle', "<title>Middle</title><script>location.replace('/end')</script>");
  const url = server.page('/', '<title>Start</title><a href="/middle">Go</a>');
  await started.page.goto(url);
  const result = await started.driver.act({ selector: 'a', description: '', method: 'click', arguments: [] });
  expect(result.effect).toBe('navigated');
  expect((await started.driver.extract()).pageText).toBe('heading 1 "The end"');
});
