import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Frame, type Page } from '../../src/index.ts';
import { failureOf } from '../support/failure-of.ts';
import { useBrowser } from '../support/use-browser.ts';
import { useWholeBrowser } from '../support/whole-browser.ts';

let page: Page;

const leaf = (name: string): string =>
  `<!doctype html><title>${name}</title><h1>${name}</h1><button id="b" onclick="this.textContent='Clicked'">Go</button>
   <label>Field <input id="i"></label><script>window.where = '${name}'</script>`;

useWholeBrowser('nightly');
const test = useBrowser({
  routes: { '/near': leaf('Near'), '/far': leaf('Far'), '/other': leaf('Other') },
  defaultTimeout: 15_000,
});

beforeAll(() => {
  test.server.page('/branch', `<!doctype html><title>Branch</title><iframe name="twig" src="/near"></iframe>`);
  test.server.page(
    '/',
    `<!doctype html><title>Main</title><h1>Main</h1><script>window.where = 'Main'</script>
     <iframe name="near" src="/near"></iframe>
     <iframe name="far" id="farId" src="${test.server.otherOrigin}/far"></iframe>
     <iframe name="branch" src="${test.server.otherOrigin}/branch"></iframe>
     <iframe id="plain" srcdoc="<title>Plain</title><p>Plain</p>"></iframe>
     <iframe name="blank"></iframe>`,
  );
  ({ page } = test);
});

async function open(): Promise<void> {
  await page.goto(test.server.origin, { waitUntil: 'load' });
}

function frame(name: string): Frame {
  const found = page.frame(name);
  if (!found) throw new TypeError(`no frame ${name}`);
  return found;
}

describe('page.frames() and page.frame()', () => {
  beforeAll(open);

  it('lists all frames, the main frame first and parents before children', () => {
    const frames = page.frames();
    expect(frames).toHaveLength(7);
    expect(frames[0]).toBe(page.mainFrame());
    for (const [index, one] of frames.entries()) {
      const parent = one.parentFrame();
      expect(parent === null ? -1 : frames.indexOf(parent)).toBeLessThan(index);
    }
  });

  it('returns the same Frame objects on every call', () => {
    expect(page.frames()).toEqual(page.frames());
    for (const [index, one] of page.frames().entries()) expect(page.frames()[index]).toBe(one);
    expect(frame('near')).toBe(page.frames().find((one) => one.name() === 'near'));
    expect(frame('twig').parentFrame()).toBe(frame('branch'));
    expect(frame('branch').childFrames()[0]).toBe(frame('twig'));
  });

  it('returns frames with names, URLs and ids', () => {
    expect(page.mainFrame().name()).toBe('');
    expect(page.mainFrame().url()).toBe(`${test.server.origin}/`);
    expect(page.mainFrame().frameId).toBe(page.mainFrameId());
    expect(frame('far').url()).toBe(`${test.server.otherOrigin}/far`);
    expect(frame('blank').url()).toBe('about:blank');
    expect(new Set(page.frames().map((one) => one.frameId)).size).toBe(7);
  });

  it('returns frames with their parent and children', () => {
    expect(page.mainFrame().parentFrame()).toBe(null);
    expect(page.mainFrame().childFrames()).toHaveLength(5);
    expect(frame('far').childFrames()).toEqual([]);
  });

  it.each<[string, () => string | RegExp, string]>([
    ['name', () => 'far', 'far'],
    ['URL', () => `${test.server.otherOrigin}/branch`, 'branch'],
    ['a RegExp for its URL', () => /\/far$/, 'far'],
    ['the URL of a nested frame', () => `${test.server.otherOrigin}/near`, 'twig'],
  ])('finds a frame by %s', (_title, nameOrUrl, expected) => {
    expect(page.frame(nameOrUrl())?.name()).toBe(expected);
  });

  it('returns null without a match and rejects an invalid name', async () => {
    expect(page.frame('farId')).toBe(null);
    expect(page.frame(/nowhere/)).toBe(null);
    expect(await failureOf(Promise.resolve().then(() => page.frame('')))).toMatchObject({ code: 'INVALID_ARGUMENT' });
    expect(await failureOf(Promise.resolve().then(() => page.frame(3 as never)))).toMatchObject({
      code: 'INVALID_ARGUMENT',
    });
  });
});

describe.each(['near', 'far', 'twig'])('frame %s', (name) => {
  const title = { near: 'Near', far: 'Far', twig: 'Near' }[name];

  beforeAll(open);

  it('evaluate() runs scripts in the main world of the frame', async () => {
    expect(await frame(name).evaluate('where')).toBe(title);
    expect(await frame(name).evaluate((more: number) => 40 + more, 2)).toBe(42);
    expect(await frame(name).evaluate(async () => Promise.resolve('late'))).toBe('late');
    expect(await failureOf(frame(name).evaluate('nothing.here'))).toMatchObject({ code: 'EVAL' });
  });

  it('title() and content() return those of the frame', async () => {
    expect(await frame(name).title()).toBe(title);
    expect(await frame(name).content()).toMatch(new RegExp(`^<!DOCTYPE html><html>.*<h1>${title}</h1>`, 's'));
  });

  it('finds only elements inside the frame', async () => {
    expect(await frame(name).locator('h1').textContent()).toBe(title);
    expect(await frame(name).locator('h1').count()).toBe(1);
    expect(await frame(name).getByRole('button', { name: 'Go' }).count()).toBe(1);
    expect(await frame(name).getByLabel('Field').isEditable()).toBe(true);
  });

  it('clicks, fills, presses and types inside the frame', async () => {
    await frame(name).locator('#b').click();
    expect(await frame(name).getByText('Clicked').count()).toBe(1);
    await frame(name).getByLabel('Field').fill('Ada');
    await frame(name).getByLabel('Field').press('End');
    await frame(name).getByLabel('Field').type('!');
    expect(await frame(name).locator('#i').inputValue()).toBe('Ada!');
  });

  it('waitForSelector() waits inside the frame', async () => {
    expect(await frame(name).waitForSelector('#b')).toBe(true);
    await frame(name).evaluate(
      `setTimeout(() => document.body.insertAdjacentHTML('beforeend', '<p id="late">x</p>'), 60)`,
    );
    expect(await frame(name).waitForSelector('#late')).toBe(true);
    expect(await failureOf(frame(name).waitForSelector('#never', { timeout: 200 }))).toMatchObject({ code: 'TIMEOUT' });
    expect(await frame(name).waitForSelector('#never', { state: 'hidden' })).toBe(true);
  });
});

describe('frame that changes', () => {
  beforeEach(open);

  it('keeps its Frame object across same-site and cross-site navigations', async () => {
    const near = frame('near');
    for (const [address, title] of [
      [`${test.server.origin}/other`, 'Other'],
      [`${test.server.otherOrigin}/far`, 'Far'],
      [`${test.server.otherOrigin}/other`, 'Other'],
      [`${test.server.origin}/near`, 'Near'],
    ] as const) {
      await page.locator('iframe[name=near]').evaluate((element: { src: string }, to: string) => {
        element.src = to;
      }, address);
      await near.getByRole('heading', { name: title }).waitFor();
      expect(await near.evaluate('where')).toBe(title);
      expect(near.url()).toBe(address);
      expect(page.frame('near')).toBe(near);
      expect(near.isDetached()).toBe(false);
    }
  });

  it('detaches when it is removed, and rejects every call', async () => {
    for (const name of ['near', 'far', 'twig']) {
      const gone = frame(name);
      const holder = gone.parentFrame();
      await holder?.locator(`iframe[name=${name}]`).evaluate((element: { remove(): void }) => element.remove());
      await expect.poll(() => gone.isDetached()).toBe(true);
      expect(gone.parentFrame()).toBe(null);
      expect(page.frames()).not.toContain(gone);
      const calls = [
        gone.evaluate('1'),
        gone.title(),
        gone.content(),
        gone.waitForSelector('h1'),
        gone.locator('h1').textContent(),
        gone.locator('#b').click(),
        gone.locator('h1').count(),
        gone.locator('#i').selectOption('x'),
      ];
      for (const failure of await Promise.all(calls.map(failureOf))) expect(failure).toMatchObject({ code: 'IFRAME' });
    }
  });

  it('detaches when its parent frame is removed', async () => {
    const twig = frame('twig');
    await page.locator('iframe[name=branch]').evaluate((element: { remove(): void }) => element.remove());
    await expect.poll(() => twig.isDetached()).toBe(true);
    expect(await failureOf(twig.evaluate('1'))).toMatchObject({ code: 'IFRAME' });
  });

  it.each(['near', 'far'])('%s rejects pending calls when it is removed', async (name) => {
    const one = frame(name);
    const calls = [
      one.evaluate('new Promise(() => {})'),
      one.waitForSelector('#never'),
      one.locator('#never').textContent(),
      one.locator('#never').click(),
    ];
    const failures = calls.map(failureOf);
    await one.evaluate('1');
    await page.locator(`iframe[name=${name}]`).evaluate((element: { remove(): void }) => element.remove());
    for (const failure of await Promise.all(failures)) expect(failure).toMatchObject({ code: 'IFRAME' });
  });

  it.each(['near', 'far'])(
    '%s rejects a pending script when it navigates, and works in the next document',
    async (name) => {
      const one = frame(name);
      const failure = failureOf(one.evaluate('new Promise(() => {})'));
      await one.evaluate('1');
      await one.evaluate(`location.href = '/other'`);
      expect(await failure).toMatchObject({ code: 'EVAL' });
      await one.getByRole('heading', { name: 'Other' }).waitFor();
      expect(await one.evaluate('where')).toBe('Other');
    },
  );

  it('detaches when the page navigates', async () => {
    const near = frame('near');
    const main = page.mainFrame();
    await page.goto(`${test.server.origin}/other`);
    expect(near.isDetached()).toBe(true);
    expect(page.mainFrame()).toBe(main);
    expect(page.frames()).toEqual([main]);
    expect(await main.evaluate('where')).toBe('Other');
  });

  it('rejects calls as closed when the page closes', async () => {
    const other = await test.driver.context.newPage(test.server.origin);
    const near = other.frame('near') ?? other.mainFrame();
    const pending = failureOf(near.evaluate('new Promise(() => {})'));
    await near.evaluate('1');
    await other.close();
    expect(await pending).toMatchObject({ code: 'CLOSED' });
    expect(await failureOf(near.evaluate('1'))).toMatchObject({ code: 'CLOSED' });
    expect(await failureOf(near.locator('h1').click())).toMatchObject({ code: 'CLOSED' });
    expect(near.isDetached()).toBe(true);
  });

  it('evaluate() respects `signal` and `timeout`', async () => {
    const controller = new AbortController();
    const endless = failureOf(frame('far').evaluate('new Promise(() => {})', undefined, { signal: controller.signal }));
    controller.abort();
    expect(await endless).toMatchObject({ code: 'ABORTED' });
    expect(await failureOf(frame('near').evaluate('new Promise(() => {})', undefined, { timeout: 100 }))).toMatchObject(
      { code: 'TIMEOUT' },
    );
  });
});
