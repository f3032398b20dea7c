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

describe.each(PLACES)('a frame of a %s site', (place) => {
  it('that is added while a call runs is gone into', async () => {
    await open();
    const button = page.frameLocator('iframe').getByRole('button');
    const clicked = button.click();
    await soon(`document.querySelector('#at').innerHTML = '<iframe src="${address(place, '/full')}"></iframe>'`);
    await clicked;
    expect(await button.textContent()).toBe('Clicked');
  });

  it('that is added in a late shadow root is gone into', async () => {
    for (const mode of ['open', 'closed']) {
      await open();
      const text = page.locator('iframe >> #text').textContent();
      await soon(`const host = document.createElement('div'); document.body.append(host);
        host.attachShadow({ mode: '${mode}' }).innerHTML = '<iframe src="${address(place, '/full')}"></iframe>'`);
      expect(await text).toBe('Words');
    }
  });

  it.each(PLACES)('that goes to a document of a %s site while a call waits in it is followed', async (next) => {
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

  it('that is removed while an element in it is waited to go is gone with it', async () => {
    await open(address(place, '/full'));
    const gone = page.frameLocator('iframe').locator('#text').waitFor({ state: 'detached' });
    const hidden = page.frameLocator('iframe').locator('#text').waitFor({ state: 'hidden' });
    await soon(`document.querySelector('iframe').remove()`);
    expect(await Promise.all([gone, hidden])).toEqual([undefined, undefined]);
  });

  it('that is removed and replaced while a call waits is searched again', async () => {
    await open(address(place, '/empty'));
    const clicked = page.frameLocator('iframe').getByRole('button').click();
    await soon(`document.querySelector('iframe').remove();
      document.querySelector('#at').innerHTML = '<iframe src="${address(place, '/full')}"></iframe>'`);
    await clicked;
    expect(await page.frameLocator('iframe').getByText('Clicked').count()).toBe(1);
  });

  it('that is removed for good fails a call when its time is up, and says what was looked for', async () => {
    await open(address(place, '/empty'));
    const failure = failureOf(page.frameLocator('iframe').getByRole('button').click({ timeout: 700 }));
    await soon(`document.querySelector('iframe').remove()`);
    expect(await failure).toMatchObject({ code: 'ELEMENT_NOT_FOUND', message: expect.stringContaining('iframe') });
  });

  it('that is moved within the page reloads and is found again', async () => {
    await open(address(place, '/full'));
    await page.evaluate(`document.body.insertAdjacentHTML('beforeend', '<section></section>')`);
    await page.evaluate(`document.querySelector('section').append(document.querySelector('iframe'))`);
    expect(await page.frameLocator('section iframe').locator('#text').textContent()).toBe('Words');
    expect(page.frames()).toHaveLength(2);
  });

  it('whose page is replaced while a call waits is looked for in the next page', async () => {
    await open(address(place, '/empty'));
    server.page('/next', `<!doctype html><iframe src="${address(place, '/full')}"></iframe>`);
    const text = page.frameLocator('iframe').locator('#text').textContent();
    await page.goto(`${server.origin}/next`);
    expect(await text).toBe('Words');
  });

  it('that reloads over and over does not keep what is in it from being read', async () => {
    await open(address(place, '/full'));
    for (let round = 0; round < 5; round += 1) {
      await page.evaluate(`document.querySelector('iframe').src = '${address(place, '/full')}?${round}'`);
      expect(await page.frameLocator('iframe').locator('#text').textContent()).toBe('Words');
    }
  });

  it('is listed as soon as it is there and no longer when it is gone', async () => {
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
