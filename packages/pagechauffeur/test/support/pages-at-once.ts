import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Driver, DriverContext, Page } from '../../src/index.ts';
import { hasAllRows, rows } from './nightly-rows.ts';
import { serve, type TestServer } from './serve.ts';

/** Draws a few frames and is quiet then, as a page that loads does: after that a browser holds back what nobody sees. */
const DRAWS = `<script>
  let drawn = 0;
  const draw = () => { document.querySelector('p').style.width = drawn + 'px'; if (++drawn < 12) requestAnimationFrame(draw); };
  requestAnimationFrame(draw);
</script>`;
const SHOP = (name: string): string => `<!doctype html><title>${name}</title><h1>Order ${name}</h1><p>Open</p>
  <button onclick="document.querySelector('p').textContent = 'Saved'">Save</button>
  <button id="three" onclick="for (const name of ['x', 'y', 'z']) window.open('/order?' + name)">Open all</button>
  <button onclick="opener.focus()">Back to the opener</button>
  <a href="/order?aside">More</a>${DRAWS}`;

/** Whether fifteen animation frames come before fifteen timers of 100 ms, one after another. */
const FRAMES_COME_FIRST = `Promise.race([
  (async () => { for (let i = 0; i < 15; i += 1) await new Promise(requestAnimationFrame); return true; })(),
  (async () => { for (let i = 0; i < 15; i += 1) await new Promise((done) => setTimeout(done, 100)); return false; })(),
])`;

/**
 * Tests that a driver works on several pages at once, whichever is in front, wherever its browser is. What comes into
 * the background is the same for every browser, so it is tested with one of them on every change.
 */
export function testPagesAtOnce(driverOf: () => Driver, where: 'here' | 'elsewhere' = 'here'): void {
  let server: TestServer;
  let context: DriverContext;
  beforeAll(async () => {
    server = await serve({
      '/order': (request, response) => {
        response.setHeader('content-type', 'text/html');
        response.end(SHOP(request.url?.split('?')[1] ?? ''));
      },
    });
  });
  afterAll(() => server?.close());

  beforeEach(async () => {
    ({ context } = driverOf());
    const [first = await context.newPage(), ...others] = context.pages();
    await Promise.all(others.map((other) => other.close()));
    await first.goto('about:blank');
  });

  const orderOf = (page: Page): string => new URL(page.url()).search.slice(1);
  const open = (name: string | number): Promise<Page> => context.newPage(`${server.origin}/order?${name}`);

  /** Acts on all pages at once, takes their pictures and reads them. */
  async function expectAllToWork(pages: readonly Page[]): Promise<void> {
    const driver = driverOf();
    const frames = await Promise.all(pages.map((page) => page.evaluate(FRAMES_COME_FIRST)));
    expect(frames).toEqual(pages.map(() => true));
    const pictures = await Promise.all(pages.map((page) => page.screenshot()));
    expect(pictures.every((picture) => picture.length > 1000)).toBe(true);
    const acted = await Promise.all(pages.map((page) => driver.act('click Save', { page })));
    expect(acted.map(({ success }) => success)).toEqual(pages.map(() => true));
    const texts = await Promise.all(pages.map((page) => driver.extract({ page })));
    texts.forEach(({ pageText }, index) => {
      expect(pageText).toContain(`Order ${orderOf(pages[index] as Page)}`);
      expect(pageText).toContain('Saved');
    });
  }

  describe('a driver with several pages', () => {
    it.each(rows([4], [10]))(
      'draws, acts on, pictures and reads %i pages that were opened at once',
      async (length) => {
        const pages = await Promise.all(Array.from({ length }, (_, index) => open(index)));
        expect(context.pages()).toEqual(expect.arrayContaining(pages));
        await expectAllToWork(pages);
      },
      180_000,
    );

    it('does so with three pages that one click opens, and with their opener', async () => {
      const opener = await open('opener');
      await opener.locator('#three').click();
      await expect.poll(() => context.pages().map(orderOf)).toEqual(expect.arrayContaining(['x', 'y', 'z']));
      const opened = context.pages().filter((page) => ['x', 'y', 'z'].includes(orderOf(page)));
      await expectAllToWork([opener, ...opened]);
    });

    if (where === 'elsewhere' && !hasAllRows) return;

    it('does so with a page that opens behind the one in front', async () => {
      const front = await open('front');
      await front.getByText('More').click({ modifiers: ['ControlOrMeta'] });
      await expect.poll(() => context.pages().map(orderOf)).toContain('aside');
      const behind = context.pages().filter((page) => orderOf(page) === 'aside');
      await expectAllToWork([...behind, front]);
    });

    it('keeps the size of the viewport, and the size that a popup asks for', async () => {
      const pages = await Promise.all([open(1), open(2), open(3)]);
      const [popup] = await Promise.all([
        pages[0].waitForEvent('popup'),
        pages[0].evaluate(`window.open('/order?small', '', 'width=400,height=300'), undefined`),
      ]);
      await popup.waitForLoadState();
      const sizeOf = (page: Page): Promise<unknown> => page.evaluate('innerWidth + " × " + innerHeight');
      expect(await Promise.all([...pages, popup].map(sizeOf))).toEqual([...pages.map(() => '1280 × 720'), '400 × 300']);
    });

    it('leaves the screencast of a page behind to the user, and draws the page again after it', async () => {
      const opener = await open('opener');
      await opener.locator('#three').click();
      await expect.poll(() => context.pages().length).toBe(5);
      await opener.screenshot();
      await opener.sendCDP('Page.startScreencast', { format: 'jpeg' });
      expect(await opener.evaluate(FRAMES_COME_FIRST)).toBe(true);
      await opener.sendCDP('Page.stopScreencast');
      await expectAllToWork([opener]);
      await expect(opener.sendCDP('Page.startScreencast', { quality: 'high' })).rejects.toThrow('Page.startScreencast');
      await expectAllToWork([opener]);
    });

    // Other ways into the background.
    if (!hasAllRows) return;

    it('does so with a page that is active again after another one was', async () => {
      const first = await open('first');
      await first.locator('#three').click();
      await expect.poll(() => context.pages().length).toBe(5);
      context.setActivePage(first);
      await expectAllToWork([first]);
      await context.pages().at(-1)?.bringToFront();
      await expectAllToWork([first]);
    });

    it('does so with a page that its own script puts behind its opener', async () => {
      const opener = await open('opener');
      await opener.locator('#three').click();
      await expect.poll(() => context.pages().length).toBe(5);
      const front = context.pages().at(-1) as Page;
      await front.getByText('Back to the opener').click();
      await expectAllToWork([front, opener]);
    });
  });
}
