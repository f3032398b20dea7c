import { expect, test } from 'vitest';
import { ActionTrace } from '../../src/actions/action-trace.ts';
import { runAction } from '../../src/actions/run-action.ts';
import { Progress } from '../../src/util/progress.ts';
import { startDriver } from '../support/driver-for-test.ts';
import { rows } from '../support/nightly-rows.ts';
import { useBrowser } from '../support/use-browser.ts';

const browser = useBrowser();

test('extract() waits for content that the page fetches while it loads', async () => {
  browser.server.page('/data', (_request, response) => {
    setTimeout(() => response.end('Loaded later'), 500);
  });
  const url = browser.server.page(
    '/',
    `<title>Loads</title><p>Loading</p><script>fetch('/data').then((r) => r.text()).then((t) => { document.querySelector('p').textContent = t })</script>`,
  );
  await browser.page.goto(url);
  expect((await browser.driver.extract()).pageText).toBe('- Loaded later');
});

const soon = (script: string): string => `<script>setTimeout(() => { ${script} }, 1200)</script>`;

test.each([
  [
    'shows only "Loading…"',
    `<p id="p">Loading…</p>${soon(`p.outerHTML = '<textarea aria-label="Editor"></textarea>'`)}`,
  ],
  [
    'shows nothing until its script has run',
    soon(`document.body.innerHTML = '<textarea aria-label="Editor"></textarea>'`),
  ],
  [
    'shows a loading status beside its controls',
    `<button>Bold</button><div id="p" role="status">Loading</div>${soon(`p.outerHTML = '<textarea aria-label="Editor"></textarea>'`)}`,
  ],
  [
    'marks a part as `aria-busy`',
    `<button>Bold</button><div id="p" aria-busy="true">Words</div>${soon(`p.outerHTML = '<textarea aria-label="Editor"></textarea>'`)}`,
  ],
])('extract() waits for a page that %s', async (_what, html) => {
  await browser.page.goto(browser.server.page('/', `<!doctype html><title>Loads</title><body>${html}`));
  expect((await browser.driver.extract()).pageText).toContain('Editor');
});

test.each(rows(['Wird geladen…', '正在加载中'], ['Chargement en cours', 'Загрузка...', '読み込み中…']))(
  'extract() waits while the page shows a loading message in its language: %s',
  async (words) => {
    const editor = soon(`p.outerHTML = '<textarea aria-label="Editor"></textarea>'`);
    await browser.page.goto(
      browser.server.page('/', `<!doctype html><title>Loads</title><p id="p">${words}</p>${editor}`),
    );
    expect((await browser.driver.extract()).pageText).toContain('Editor');
  },
);

test.each(rows(['Laden in Bremen', 'Ladenburg'], ['Loadings of last year']))(
  'extract() does not wait on a page with the ordinary text "%s"',
  async (words) => {
    await browser.page.goto(
      browser.server.page(
        '/',
        `<!doctype html><title>There</title><p id="p">${words}</p>${soon(`p.textContent = 'Later'`)}`,
      ),
    );
    expect((await browser.driver.extract()).pageText).toContain(words);
  },
);

test('waits for a dialog that opens after a loading status', async () => {
  const open = `document.body.insertAdjacentHTML('beforeend', '<p id=s role=status>Loading…</p>'); setTimeout(() => { s.remove(); d.showModal() }, 1200)`;
  const html = `<title>Late</title><button onclick="${open}">Open</button><dialog id="d" aria-label="Settings"><input aria-label="Name"></dialog>`;
  await browser.page.goto(browser.server.page('/', html));
  const action = { selector: 'button', description: '', method: 'click', arguments: [] };
  expect(await browser.driver.act(action)).toMatchObject({
    effect: 'opened',
    message: expect.stringContaining('dialog "Settings" opened'),
  });
});

test('settles a page with a stream, a socket and requests that never end', async () => {
  browser.server.page('/stream', (_request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' }).write('data: hello\n\n');
  });
  browser.server.page('/never', () => undefined);
  const url = browser.server.page(
    '/',
    `<title>Streams</title><button onclick="this.textContent = 'Done'">Go</button>
    <script>new EventSource('/stream'); navigator.sendBeacon('/never'); new Image().src = '/never'; new WebSocket('ws://' + location.host + '/never')</script>`,
  );
  await browser.page.goto(url);
  const result = await browser.driver.act(
    { selector: 'button', description: 'Go', method: 'click', arguments: [] },
    { timeout: 10_000 },
  );
  expect(result).toMatchObject({ effect: 'changed', message: 'Done: click on button "Go". The page changed.' });
});

test('stops counting the script request of a worker after the worker starts', async () => {
  browser.server.page('/worker.js', (_request, response) => {
    response.writeHead(200, { 'content-type': 'text/javascript' }).end(`postMessage('Working')`);
  });
  const start = `new Worker('/worker.js').onmessage = ({ data }) => { this.textContent = data }`;
  await browser.page.goto(browser.server.page('/', `<title>Worker</title><button onclick="${start}">Start</button>`));
  await browser.driver.act({ selector: 'button', description: 'Start', method: 'click', arguments: [] });
  await expect.poll(() => browser.page.target.network.inFlight.map(({ url }) => url)).toEqual([]);
});

test('does not wait for a keepalive request of the previous document', async () => {
  browser.server.page('/never', () => undefined);
  const first = browser.server.page('/', `<script>fetch('/never', { method: 'POST', keepalive: true })</script>`);
  await browser.page.goto(first);
  const isSent = (): boolean => browser.page.target.network.inFlight.some(({ url }) => url.endsWith('/never'));
  await expect.poll(isSent).toBe(true);
  const next = browser.server.page('/next', '<p>Next</p>');
  await browser.page.goto(next.replace('127.0.0.1', 'localhost'));
  expect(isSent()).toBe(true);
  using watch = new ActionTrace(browser.page.target, { countsInFlight: true });
  await expect.poll(() => watch.isBusy).toBe(false);
});

test('settles a page whose clock changes in every animation frame', async () => {
  const url = browser.server.page(
    '/',
    `<title>Clock</title><p></p><button>Nothing</button>
    <script>(function tick() { document.querySelector('p').textContent = 'Time: ' + performance.now(); requestAnimationFrame(tick) })()</script>`,
  );
  await browser.page.goto(url);
  const result = await browser.driver.act(
    { selector: 'button', description: '', method: 'click', arguments: [] },
    { timeout: 10_000 },
  );
  expect(result.message).not.toContain('did not settle');
});

test('waits for a transition that the click starts', async () => {
  const url = browser.server.page(
    '/',
    `<title>Slides</title><style>#panel { height: 40px; transform: translateX(-300px); transition: transform 400ms } #panel.open { transform: none }</style>
    <button onclick="panel.className = 'open'">Open</button><div id="panel">Panel</div>`,
  );
  await browser.page.goto(url);
  await browser.driver.act({ selector: 'button', description: '', method: 'click', arguments: [] });
  expect(await browser.page.evaluate("getComputedStyle(document.querySelector('#panel')).transform")).toBe('none');
});

test('follows a script redirect after the click to its final page', async () => {
  browser.server.page('/end', '<title>End</title><h1>The end</h1>');
  browser.server.page('/middle', "<title>Middle</title><script>location.replace('/end')</script>");
  const url = browser.server.page('/', '<title>Start</title><a href="/middle">Go</a>');
  await browser.page.goto(url);
  const result = await browser.driver.act({ selector: 'a', description: '', method: 'click', arguments: [] });
  expect(result.effect).toBe('navigated');
  expect((await browser.driver.extract()).pageText).toBe('heading 1 "The end"');
});

test('waits again after the second click of an action if the page settled between the clicks', async () => {
  const answer = `const p = document.querySelector('p'); setTimeout(() => { p.textContent = 'Opened' }, 60)`;
  await browser.page.goto(
    browser.server.page('/', `<title>Twice</title><p>Closed</p><button ondblclick="${answer}">Open</button>`),
  );
  const { target } = browser.page;
  using progress = new Progress({ operation: 'double click', timeout: 20_000 });
  const outcome = await runAction(progress, target, {
    method: 'doubleClick',
    arguments: [],
    target: { frame: target.frames.main, element: { selector: 'button' }, label: 'button' },
    elementTimeout: 5000,
    settleTimeout: 5000,
    pointer: { delay: 700 },
  });
  expect(outcome.effect).toBe('changed');
  expect(await browser.page.locator('p').textContent()).toBe('Opened');
});

test('reports the effect of a click when the page is busy longer than `domSettleTimeout`', async () => {
  await using hasty = await startDriver({ domSettleTimeout: 100 });
  const busy = `setTimeout(() => { const end = Date.now() + 1000; while (Date.now() < end); })`;
  await hasty.page.goto(
    browser.server.page('/', `<title>Busy</title><button onclick="this.textContent = 'Done'; ${busy}">Go</button>`),
  );
  const result = await hasty.driver.act({ selector: 'button', description: 'Go', method: 'click', arguments: [] });
  expect(result).toMatchObject({ effect: 'changed' });
});
