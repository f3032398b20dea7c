import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ContentFrameNotFoundError, type FrameLocator, type Page } from '../../src/index.ts';
import { startDriver, type TestDriver } from '../support/driver-for-test.ts';
import { failureOf } from '../support/failure-of.ts';
import { highlightsDuring } from '../support/highlights-during.ts';
import { type Nesting, serveNestedPages } from '../support/nested-pages.ts';
import { rows } from '../support/nightly-rows.ts';
import { serve, type TestServer } from '../support/serve.ts';
import { useWholeBrowser } from '../support/whole-browser.ts';

let server: TestServer;
let test: TestDriver;
let page: Page;
let nestedUrl: (path: readonly Nesting[]) => string;

useWholeBrowser('nightly');
beforeAll(async () => {
  server = await serve({
    '/leaf': '<!doctype html><title>Leaf</title><h1>Leaf</h1><button>One</button><button>Two</button>',
  });
  nestedUrl = serveNestedPages(server);
  test = await startDriver({ defaultTimeout: 15_000 });
  ({ page } = test);
});

afterAll(async () => {
  await test?.driver.close();
  await server?.close();
});

const isFrame = (kind: Nesting): boolean => kind === 'same' || kind === 'other';

/** Paths of depth 5 in which each kind stands at each level, next to each other kind, and plain runs of one kind. */
const KINDS: readonly Nesting[] = ['same', 'other', 'open', 'closed', 'declared'];
const DEEP: Nesting[][] = [
  ...KINDS.map((kind) => Array.from({ length: 5 }, () => kind)),
  ...KINDS.flatMap((_, shift) =>
    [1, 2].map((stride) => KINDS.map((__, at) => KINDS[(shift + at * stride) % 5] ?? 'same')),
  ),
  ['other', 'same', 'other', 'same', 'other'],
  ['closed', 'other', 'closed', 'other', 'closed'],
  ['declared', 'same', 'declared', 'other', 'same'],
];

/** On every change: runs of one kind, and each kind once at each level. */
const DAILY = DEEP.filter((path, index) => index < KINDS.length || (index < 3 * KINDS.length && index % 2 === 1));
const titled = (paths: readonly Nesting[][]) => paths.map((path) => [path.join(' > '), path] as const);

describe('elements five levels deep', () => {
  it.each(rows(titled(DAILY), titled(DEEP.filter((path) => !DAILY.includes(path)))))(
    'finds, reads and acts on elements in %s',
    async (_title, path) => {
      await page.goto(nestedUrl(path), { waitUntil: 'load' });
      const depth = path.filter(isFrame).length;
      // Shadow roots need no step of their own: a frame is found through them.
      let inner: FrameLocator | Page = page;
      for (let level = 0; level < depth; level += 1) inner = inner.frameLocator('iframe');
      const button = inner.getByRole('button', { name: 'Deep' });
      expect(await button.textContent()).toBe('Deep');
      expect(await inner.locator('button').count()).toBe(1);
      await button.click();
      expect(await inner.getByText('Clicked').textContent()).toBe('Clicked');
      await inner.getByLabel('Field').fill('Ada');
      expect(await inner.locator('input').inputValue()).toBe('Ada');
      expect(await inner.locator('p').isVisible()).toBe(false);
      expect(page.frames()).toHaveLength(depth + 1);
      expect(await inner.getByRole('button').evaluate('element.isConnected')).toBe(true);
      const box = await inner.getByRole('button').boundingBox();
      expect(box?.width).toBeGreaterThan(10);
    },
  );
});

describe('page.frameLocator()', () => {
  const open = async (html: string): Promise<void> => {
    await page.goto(server.page('/at', `<!doctype html><title>At</title><body>${html}</body>`), { waitUntil: 'load' });
  };

  it('returns the owner element and the frame', async () => {
    await open(
      `<iframe id="f" name="leaf" src="/leaf"></iframe><iframe id="g" src="${server.otherOrigin}/leaf"></iframe>`,
    );
    expect(await page.frameLocator('#f').owner().getAttribute('name')).toBe('leaf');
    expect(await page.frameLocator('#f').resolveFrame()).toBe(page.frame('leaf'));
    const far = await page.frameLocator('#g').resolveFrame();
    expect(far.url()).toBe(`${server.otherOrigin}/leaf`);
    expect(await far.evaluate('document.title')).toBe('Leaf');
    expect(await far.getByRole('button').count()).toBe(2);
  });

  it('chains from a page, a frame, a locator and a frame locator', async () => {
    await open('<section id="s"><iframe id="f" name="f"></iframe></section>');
    await page.frame('f')?.evaluate(`document.body.innerHTML = '<div id="d"><iframe src="/leaf"></iframe></div>'`);
    const ways = [
      page.frameLocator('#f').frameLocator('iframe'),
      page.locator('#s').frameLocator('iframe').frameLocator('#d iframe'),
      page.mainFrame().frameLocator('#f').locator('#d').frameLocator('iframe'),
      page.frame('f')?.frameLocator('iframe') ?? page.frameLocator('#none'),
      page.frame('f')?.locator('#d').frameLocator('iframe') ?? page.frameLocator('#none'),
    ];
    for (const way of ways) expect(await way.locator('h1').textContent()).toBe('Leaf');
  });

  it('uses the first of several frames, or the nth', async () => {
    await open('<iframe srcdoc="<p>one</p>"></iframe><iframe srcdoc="<p>two</p>"></iframe>');
    expect(await page.frameLocator('iframe').locator('p').textContent()).toBe('one');
    expect(await page.frameLocator('iframe >> nth=1').locator('p').textContent()).toBe('two');
    expect(await page.frameLocator('iframe >> nth=-1').getByText('two').count()).toBe(1);
  });

  it('finds a frame by a `title=` selector', async () => {
    await open(
      '<iframe title="Pay here" srcdoc="<button>Pay</button>"></iframe><iframe title="Other" srcdoc="<button>No</button>"></iframe>',
    );
    expect(await page.frameLocator('title=pay').getByRole('button').textContent()).toBe('Pay');
  });

  // [spec: errors.ContentFrameNotFoundError]
  it('rejects an element that is not a frame, and names it', async () => {
    await open('<div id="d"><p>x</p></div>');
    const failure = await failureOf(page.frameLocator('#d').locator('p').click());
    expect(failure).toBeInstanceOf(ContentFrameNotFoundError);
    expect(failure).toMatchObject({ message: expect.stringContaining('<div#d> is not a frame') });
    const rest = [
      page.frameLocator('#d').resolveFrame(),
      page.frameLocator('#d').locator('p').count(),
      page.frameLocator('#d').locator('p').isVisible(),
    ];
    for (const other of await Promise.all(rest.map(failureOf))) expect(other).toBeInstanceOf(ContentFrameNotFoundError);
  });

  it('names the frame selector that matches no element', async () => {
    await open('<iframe id="f" src="/leaf"></iframe>');
    expect(await failureOf(page.frameLocator('#none').locator('p').textContent({ timeout: 1000 }))).toMatchObject({
      code: 'ELEMENT_NOT_FOUND',
      message: expect.stringContaining('#none'),
    });
    expect(await failureOf(page.frameLocator('#f').locator('em').textContent({ timeout: 1000 }))).toMatchObject({
      code: 'ELEMENT_NOT_FOUND',
    });
    expect(await failureOf(page.frameLocator('#none').resolveFrame({ timeout: 1000 }))).toMatchObject({
      code: 'ELEMENT_NOT_FOUND',
    });
    expect(await failureOf(Promise.resolve().then(() => page.frameLocator('')))).toMatchObject({
      code: 'INVALID_ARGUMENT',
    });
  });

  it('reports a missing frame at the timeout although the page is busy', async () => {
    await open('<iframe id="f" src="/leaf"></iframe>');
    const frame = page.frameLocator('#none');
    for (const call of [
      () => frame.resolveFrame({ timeout: 1000 }),
      () => frame.locator('p').innerText({ timeout: 1000 }),
    ]) {
      await page.evaluate(`setTimeout(() => { for (const end = Date.now() + 800; Date.now() < end; ); }, 500) && 0`);
      expect(await failureOf(call())).toMatchObject({ code: 'ELEMENT_NOT_FOUND' });
    }
  });

  it('reports elements in a missing frame as absent and detached', async () => {
    await open('<p>x</p>');
    expect(await page.frameLocator('#none').locator('p').count()).toBe(0);
    expect(await page.frameLocator('#none').locator('p').isVisible()).toBe(false);
    expect(await page.frameLocator('#none').locator('p').all()).toEqual([]);
    await page.frameLocator('#none').locator('p').waitFor({ state: 'detached' });
  });

  it('highlight() draws the element of `backendNodeId()` in a cross-origin frame', async () => {
    await open(`<iframe src="${server.otherOrigin}/leaf"></iframe>`);
    const heading = page.frameLocator('iframe').locator('h1');
    const drawn = await highlightsDuring(() => heading.highlight({ durationMs: 10 }));
    expect(drawn).toEqual([expect.objectContaining({ backendNodeId: await heading.backendNodeId() }), 'hidden']);
  });

  it('finds elements in an object, a frameset and a frame in SVG', async () => {
    await open('<object id="o" data="/leaf" type="text/html" width="300" height="200"></object>');
    expect(await page.frameLocator('#o').locator('h1').textContent()).toBe('Leaf');
    await page.goto(
      server.page('/set', '<!doctype html><frameset cols="50%,50%"><frame src="/leaf"><frame src="/leaf"></frameset>'),
      { waitUntil: 'load' },
    );
    expect(await page.frameLocator('frame >> nth=1').locator('h1').textContent()).toBe('Leaf');
    await open(
      '<svg width="400" height="300"><foreignObject width="400" height="300"><iframe src="/leaf"></iframe></foreignObject></svg>',
    );
    await page.frameLocator('iframe').locator('button').first().click();
  });
});
