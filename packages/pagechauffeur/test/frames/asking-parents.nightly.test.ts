import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Page } from '../../src/index.ts';
import { startDriver, type TestDriver } from '../support/driver-for-test.ts';
import { serve, type TestServer } from '../support/serve.ts';
import { useWholeBrowser } from '../support/whole-browser.ts';

/*
 * Documents of different processes ask each other about points and selectors, by messages that only the in-page programs
 * hear. What these tests look at is what the page hears, and what is done when frames and covers change.
 */

/** Writes down all messages that the document hears, by every means there is. */
const EAR = `<script>window.heard = [];
  addEventListener('message', (event) => heard.push(['capture', event.data]), true);
  addEventListener('message', (event) => heard.push(['bubble', event.data]));
  onmessage = (event) => heard.push(['property', event.data]);</script>`;
const INNER = `<!doctype html>${EAR}<style>body { margin: 0 }</style><button onclick="clicks += 1">Go</button><input aria-label="Field">
  <script>window.clicks = 0; window.events = [];
    for (const type of ['focus', 'focusin', 'scroll', 'mousemove', 'pointerdown', 'select']) addEventListener(type, () => events.push(type), true);
  </script>`;
const FRAME_STYLE = 'width:300px;height:120px;border:0';

let server: TestServer;
let test: TestDriver;
let page: Page;

useWholeBrowser('nightly');
beforeAll(async () => {
  server = await serve({ '/inner': INNER });
  test = await startDriver({ defaultTimeout: 15_000 });
  ({ page } = test);
});

afterAll(async () => {
  await test?.driver.close();
  await server?.close();
});

const far = (path = '/inner', attributes = ''): string =>
  `<iframe ${attributes} src="${server.otherOrigin}${path}" style="${FRAME_STYLE}"></iframe>`;

/** Opens a page whose style is that of the frames. */
async function open(body: string): Promise<void> {
  server.page('/', `<!doctype html>${EAR}<style>body { margin: 0 }</style><body>${body}</body>`);
  await page.goto(server.origin, { waitUntil: 'load' });
}

/** What every document has heard. */
async function heard(): Promise<unknown[]> {
  return (await Promise.all(page.frames().map((frame) => frame.evaluate<unknown[]>('heard')))).flat();
}

/** Does in a frame all that is done with points and selectors. */
async function actIn(selector: string): Promise<void> {
  const inside = page.frameLocator(selector);
  for (let round = 0; round < 2; round += 1) {
    await inside.locator('button').click();
    await inside.locator('button').hover();
    await inside.locator('input').fill('Ada');
    await inside.locator('input').type('!');
    await inside.locator('button').scrollIntoViewIfNeeded();
  }
  expect(await inside.locator('input').inputValue()).toBe('Ada!');
  expect(await inside.locator('button').evaluate('clicks')).toBe(2);
}

describe('message listener of the page', () => {
  it('receives no event when the driver acts in a cross-site frame', async () => {
    await open(far());
    await actIn('iframe');
    expect(await heard()).toEqual([]);
  });

  it('receives no event when the driver acts in nested frames of several sites', async () => {
    server.page(
      '/middle',
      `<!doctype html>${EAR}<iframe src="${server.origin}/inner" style="${FRAME_STYLE}"></iframe>`,
    );
    await open(far('/middle'));
    await actIn('iframe >> iframe');
    expect(await heard()).toEqual([]);
  });

  it('receives no event when the driver acts in a frame after document.open()', async () => {
    await open('');
    const html = `<!doctype html>${EAR}${far()}`;
    await page.evaluate(`document.open(), document.write(${JSON.stringify(html)}), document.close()`);
    await actIn('iframe');
    expect(await heard()).toEqual([]);
  });

  it('receives no event when a driver attaches later and clicks in a frame', async () => {
    await open(far());
    const later = await startDriver({ localBrowserLaunchOptions: { cdpUrl: test.driver.connectURL() } });
    const [known] = later.driver.context.pages();
    await known?.locator('iframe >> button').click();
    await known?.locator('iframe >> button').click();
    await later.driver.close();
    expect(await page.locator('iframe >> button').evaluate('clicks')).toBe(2);
    expect(await heard()).toEqual([]);
  });
});

it('delivers messages of a frame to every listener of the page, with a port that works', async () => {
  await open(far());
  await actIn('iframe');
  await page.evaluate(`addEventListener('message', ({ ports: [port] }) => port?.postMessage('received'))`);
  const inside = page.frames()[1];
  const answer = await inside?.evaluate(`new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port2.onmessage = ({ data }) => resolve(data);
    parent.postMessage({ nonce: 'no', question: 'none' }, '*', [port1]);
  })`);
  expect(answer).toBe('received');
  await inside?.evaluate(`parent.postMessage('plain', '*')`);
  await expect.poll(heard).toHaveLength(6);
  expect(await page.evaluate('heard.map(([how, data]) => how + " " + (data.nonce ?? data))')).toEqual(
    ['no', 'plain'].flatMap((text) => ['capture', 'bubble', 'property'].map((how) => `${how} ${text}`)),
  );
});

describe('selector that matches another frame later', () => {
  const PAIR = (): string => far('/inner?a', 'id="a" class="on"') + far('/inner?b', 'id="b"');
  const swap = (): Promise<unknown> =>
    page.evaluate(`for (const id of 'ab') document.getElementById(id).classList.toggle('on')`);
  const of = (frame: 'a' | 'b', script: string): Promise<unknown> | undefined =>
    page
      .frames()
      .find((one) => one.url().endsWith(`?${frame}`))
      ?.evaluate(script);

  it('clicks in the new frame and sends no event to the old one', async () => {
    await open(PAIR());
    await page.locator('.on >> button').click();
    await page.locator('.on >> button').click();
    await of('a', 'events.splice(0)');
    await swap();
    await page.locator('.on >> button').click();
    await page.locator('.on >> button').hover();
    expect([await of('a', 'clicks'), await of('b', 'clicks')]).toEqual([2, 1]);
    expect(await of('a', 'events')).toEqual([]);
  });

  it('fills in the new frame, and the old one gets no focus', async () => {
    await open(PAIR());
    await page.locator('.on >> input').fill('one');
    await page.locator('.on >> input').fill('two');
    // The event of a selection comes with the next frame, and the one after is past it.
    await of('a', 'new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
    await of('a', 'document.activeElement.blur(), events.splice(0)');
    await swap();
    await page.locator('.on >> input').fill('three');
    expect(await of('a', 'events')).toEqual([]);
    expect(await page.locator('#a >> input').inputValue()).toBe('two');
    expect(await page.locator('.on >> input').inputValue()).toBe('three');
  });

  it('reads, counts and waits in the new frame', async () => {
    await open(PAIR());
    const text = page.frameLocator('.on').locator('input');
    await page.locator('#b >> input').fill('b');
    expect([await text.inputValue(), await text.inputValue()]).toEqual(['', '']);
    await of('b', `document.body.append(document.createElement('input'))`);
    expect(await text.count()).toBe(1);
    await swap();
    expect([await text.inputValue(), await text.count()]).toEqual(['b', 2]);
    await swap();
    await of('a', `document.querySelector('input').remove()`);
    await text.waitFor({ state: 'detached' });
    await swap();
    await text.waitFor();
  });

  it('clicks in a frame that is inserted before the first one', async () => {
    await open(far('/inner?a'));
    const button = page.frameLocator('iframe').locator('button');
    await button.click();
    await button.click();
    await page.evaluate(`document.body.insertAdjacentHTML('afterbegin', ${JSON.stringify(far('/inner?b'))})`);
    await button.click();
    expect([await of('a', 'clicks'), await of('b', 'clicks')]).toEqual([2, 1]);
  });

  it('reports no match when the selector stops matching, although the frame still exists', async () => {
    await open(PAIR());
    await page.locator('.on >> button').click();
    await page.evaluate(`document.querySelector('.on').className = ''`);
    await expect(page.locator('.on >> button').click({ timeout: 400 })).rejects.toMatchObject({
      code: 'ELEMENT_NOT_FOUND',
    });
    expect(await page.locator('.on >> button').isVisible()).toBe(false);
    expect(await page.locator('.on >> button').count()).toBe(0);
  });
});

describe('frame of another process', () => {
  const COVER = '<div id="cover" style="position:fixed;inset:0;background:#eee"></div>';

  it('click() waits until a cover in the parent page disappears', async () => {
    await open(far() + COVER);
    const clicked = page.locator('iframe >> button').click();
    await page.evaluate(`setTimeout(() => cover.remove(), 150)`);
    await clicked;
    expect(await page.locator('iframe >> button').evaluate('clicks')).toBe(1);
  });

  it.each(['click', 'hover', 'tap', 'dblclick'] as const)(
    'reports a cover that stays and sends no event of %s',
    async (method) => {
      await open(far() + COVER);
      const act = page.locator('iframe >> button')[method]({ timeout: 300 });
      await expect(act).rejects.toThrow(/<div#cover> covers it/);
      expect(await page.locator('iframe >> button').evaluate('events')).toEqual([]);
    },
  );

  it('click() ignores a cover over another part of the frame', async () => {
    await open(`${far()}<div id="cover" style="position:absolute;left:0;top:60px;width:300px;height:60px"></div>`);
    await page.locator('iframe >> button').click();
    expect(await page.locator('iframe >> button').evaluate('clicks')).toBe(1);
  });

  it('click() reports a cover two documents up', async () => {
    server.page(
      '/middle',
      `<!doctype html>${EAR}<iframe src="${server.origin}/inner" style="${FRAME_STYLE}"></iframe>`,
    );
    await open(far('/middle'));
    const button = page.locator('iframe >> iframe >> button');
    await button.click();
    await page.evaluate(`document.body.insertAdjacentHTML('beforeend', ${JSON.stringify(COVER)})`);
    await expect(button.click({ timeout: 300 })).rejects.toThrow(/<div#cover> covers the frame that contains it/);
    expect(await button.evaluate('clicks')).toBe(1);
  });

  it('click() works while the frame element moves', async () => {
    const moving =
      '<style>@keyframes go { to { translate: 300px 200px } } iframe { animation: go 700ms infinite alternate }</style>';
    await open(moving + far());
    for (let round = 0; round < 3; round += 1) await page.locator('iframe >> button').click();
    expect(await page.locator('iframe >> button').evaluate('clicks')).toBe(3);
  });

  it('click() scrolls a nested frame into view on every call', async () => {
    server.page(
      '/middle',
      `<!doctype html>${EAR}<div style="height:2000px"></div><iframe src="${server.origin}/inner" style="${FRAME_STYLE}"></iframe>`,
    );
    await open(`<div style="height:3000px"></div>${far('/middle')}<div style="height:3000px"></div>`);
    for (let round = 0; round < 2; round += 1) {
      await page.locator('iframe >> iframe >> button').click();
      await page.evaluate('scrollTo(0, 0)');
    }
    expect(await page.locator('iframe >> iframe >> button').evaluate('clicks')).toBe(2);
  });

  it('click() and fill() work while the parent page is busy for 900 ms', async () => {
    await open(far());
    await page.locator('iframe >> button').click();
    await page.evaluate(`setTimeout(() => { const end = performance.now() + 900; while (performance.now() < end); })`);
    await page.locator('iframe >> button').click();
    await page.locator('iframe >> input').fill('Ada');
    expect(await page.locator('iframe >> button').evaluate('clicks')).toBe(2);
    expect(await page.locator('iframe >> input').inputValue()).toBe('Ada');
  });
});
