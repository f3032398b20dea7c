import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Page } from '../../src/index.ts';
import { startDriver, type TestDriver } from '../support/driver-for-test.ts';
import { failureOf } from '../support/failure-of.ts';
import { serve, type TestServer } from '../support/serve.ts';
import { useWholeBrowser } from '../support/whole-browser.ts';

let server: TestServer;
let test: TestDriver;
let page: Page;

const PLACES = ['near', 'far'] as const;

useWholeBrowser('nightly');
beforeAll(async () => {
  server = await serve({
    '/empty': '<!doctype html><title>Empty</title><p>Empty</p>',
    '/full': `<!doctype html><title>Full</title><button onclick="this.textContent = 'Clicked'">Go</button><input aria-label="Field"><p id="text">Words</p><ul><li>a</li><li>b</li></ul>`,
  });
  server.page('/', '<!doctype html><title>Changing</title><div id="at"></div>');
  test = await startDriver({ defaultTimeout: 15_000 });
  ({ page } = test);
});

afterAll(async () => {
  await test?.driver.close();
  await server?.close();
});

const address = (place: (typeof PLACES)[number], path: string): string =>
  `${place === 'near' ? server.origin : server.otherOrigin}${path}`;

/** A page without frames, or with one. */
async function open(frameUrl?: string): Promise<void> {
  await page.goto(server.origin, { waitUntil: 'load' });
  if (frameUrl === undefined) return;
  await page.evaluate(`new Promise((resolve) => {
    const frame = document.createElement('iframe');
    frame.onload = resolve;
    frame.src = ${JSON.stringify(frameUrl)};
    document.querySelector('#at').append(frame);
  })`);
}

/** Runs a script in the page after the call has had the time to look. */
async function soon(script: string): Promise<void> {
  await page.evaluate(`setTimeout(() => { ${script} }, 80)`);
}

describe.each(PLACES)('frame of a %s site', (place) => {
  it('click() enters a frame that is added during the call', async () => {
    await open();
    const button = page.frameLocator('iframe').getByRole('button');
    const clicked = button.click();
    await soon(`document.querySelector('#at').innerHTML = '<iframe src="${address(place, '/full')}"></iframe>'`);
    await clicked;
    expect(await button.textContent()).toBe('Clicked');
  });

  it('textContent() enters a frame in a shadow root that is attached during the call', async () => {
    for (const mode of ['open', 'closed']) {
      await open();
      const text = page.locator('iframe >> #text').textContent();
      await soon(`const host = document.createElement('div'); document.body.append(host);
        host.attachShadow({ mode: '${mode}' }).innerHTML = '<iframe src="${address(place, '/full')}"></iframe>'`);
      expect(await text).toBe('Words');
    }
  });

  it.each(PLACES)('calls follow a frame that navigates to a %s site while they wait', async (next) => {
    await open(address(place, '/empty'));
    const inner = page.frameLocator('iframe');
    const calls = Promise.all([
      inner.getByRole('button').click(),
      inner.locator('#text').textContent(),
      inner.locator('li').nth(1).waitFor(),
    ]);
    await soon(`document.querySelector('iframe').src = '${address(next, '/full')}'`);
    expect(await calls).toEqual([undefined, 'Words', undefined]);
    expect(await inner.getByText('Clicked').count()).toBe(1);
    await inner.getByLabel('Field').fill('Ada');
    expect(await inner.locator('input').inputValue()).toBe('Ada');
  });

  it('waitFor() resolves as detached or hidden when the frame is removed', async () => {
    await open(address(place, '/full'));
    const gone = page.frameLocator('iframe').locator('#text').waitFor({ state: 'detached' });
    const hidden = page.frameLocator('iframe').locator('#text').waitFor({ state: 'hidden' });
    await soon(`document.querySelector('iframe').remove()`);
    expect(await Promise.all([gone, hidden])).toEqual([undefined, undefined]);
  });

  it('click() continues in the frame that replaces a removed one', async () => {
    await open(address(place, '/empty'));
    const clicked = page.frameLocator('iframe').getByRole('button').click();
    await soon(`document.querySelector('iframe').remove();
      document.querySelector('#at').innerHTML = '<iframe src="${address(place, '/full')}"></iframe>'`);
    await clicked;
    expect(await page.frameLocator('iframe').getByText('Clicked').count()).toBe(1);
  });

  it('click() reports the missing element at its timeout when the frame is removed', async () => {
    await open(address(place, '/empty'));
    const failure = failureOf(page.frameLocator('iframe').getByRole('button').click({ timeout: 700 }));
    await soon(`document.querySelector('iframe').remove()`);
    expect(await failure).toMatchObject({ code: 'ELEMENT_NOT_FOUND', message: expect.stringContaining('iframe') });
  });

  it('finds a frame again after it moves within the page and reloads', async () => {
    await open(address(place, '/full'));
    await page.evaluate(`document.body.insertAdjacentHTML('beforeend', '<section></section>')`);
    await page.evaluate(`document.querySelector('section').append(document.querySelector('iframe'))`);
    expect(await page.frameLocator('section iframe').locator('#text').textContent()).toBe('Words');
    expect(page.frames()).toHaveLength(2);
  });

  it('textContent() continues in the frame of the next page when the page navigates', async () => {
    await open(address(place, '/empty'));
    server.page('/next', `<!doctype html><iframe src="${address(place, '/full')}"></iframe>`);
    const text = page.frameLocator('iframe').locator('#text').textContent();
    await page.goto(`${server.origin}/next`);
    expect(await text).toBe('Words');
  });

  it('textContent() reads a frame after each of 5 reloads', async () => {
    await open(address(place, '/full'));
    for (let round = 0; round < 5; round += 1) {
      await page.evaluate(`document.querySelector('iframe').src = '${address(place, '/full')}?${round}'`);
      expect(await page.frameLocator('iframe').locator('#text').textContent()).toBe('Words');
    }
  });

  it('page.frames() lists a new frame and drops a removed one', async () => {
    await open(address(place, '/full'));
    expect(page.frames().map((frame) => frame.url())).toEqual([`${server.origin}/`, address(place, '/full')]);
    await page.evaluate(`document.querySelector('iframe').remove()`);
    await expect.poll(() => page.frames().length).toBe(1);
  });
});

it('a crashed frame rejects calls, and works again after a reload', async () => {
  await open(address('far', '/full'));
  const frame = page.frames()[1];
  if (!frame) throw new TypeError('no frame');
  const failure = failureOf(frame.evaluate('new Promise(() => {})'));
  await frame.evaluate('1');
  await page.evaluate(`document.querySelector('iframe').src = 'chrome://crash'`);
  await page.evaluate(`document.querySelector('iframe').src = '${address('near', '/full')}'`);
  expect(await failure).toBeInstanceOf(Error);
  expect(await page.frameLocator('iframe').locator('#text').textContent()).toBe('Words');
});
