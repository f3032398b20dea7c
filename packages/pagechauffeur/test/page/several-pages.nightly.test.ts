import { describe, expect, it } from 'vitest';
import type { Page } from '../../src/index.ts';
import { startDriver } from '../support/driver-for-test.ts';
import { testPagesAtOnce } from '../support/pages-at-once.ts';
import { useBrowser } from '../support/use-browser.ts';
import { useWholeBrowser } from '../support/whole-browser.ts';

// A headless shell draws every page; a whole browser draws one page of each window.
useWholeBrowser();
// Ten processes start at once.
const test = useBrowser({ defaultTimeout: 120_000 });
testPagesAtOnce(() => test.driver);

/** Notes whether the browser holds the page's frames back: three times in a row the next one took more than half a second. */
const NOTES_FRAMES = `<title>Notes</title><p>0</p><script>
  let last = 0, late = 0, isHeldBack = false;
  const note = (now) => {
    late = now - last > 500 ? late + 1 : 0;
    isHeldBack = late >= 3;
    last = now;
    document.querySelector('p').textContent = now;
    requestAnimationFrame(note);
  };
  requestAnimationFrame(note);
</script>`;

describe('page behind another page', () => {
  it('gets animation frames only while a call uses it', async () => {
    test.server.page('/notes', NOTES_FRAMES);
    test.server.page('/in-front', '<title>In front</title>');
    const page = await test.driver.context.newPage(`${test.server.origin}/notes`);
    const [front] = await Promise.all([
      page.waitForEvent('popup'),
      page.evaluate(`window.open('/in-front'), undefined`),
    ]);
    // Read through the page in front: a call on the page behind is a use of it.
    const isHeldBack = (): Promise<unknown> => front.evaluate(`opener.eval('isHeldBack')`);
    await expect.poll(isHeldBack, { timeout: 60_000 }).toBe(true);
    await page.evaluate(
      'new Promise((done) => { const look = () => isHeldBack ? setTimeout(look, 50) : done(); look(); })',
    );
    expect(await isHeldBack()).toBe(false);
    await expect.poll(isHeldBack, { timeout: 60_000 }).toBe(true);
  }, 180_000);
});

describe('tabs in one window of an attached browser', () => {
  it('takes screenshots of tabs in the background', async () => {
    const url = test.server.page('/tab', '<title>Tab</title><h1>Tab</h1>');
    for (let index = 0; index < 3; index += 1) await test.page.sendCDP('Target.createTarget', { url });
    await using guest = await startDriver({ localBrowserLaunchOptions: { cdpUrl: test.driver.connectURL() } });
    const tabsOf = (): Page[] => guest.driver.context.pages().filter((page) => page.url() === url);
    await expect.poll(tabsOf).toHaveLength(3);
    const tabs = tabsOf();
    const pictures = await Promise.all(tabs.map((page) => page.screenshot()));
    expect(pictures.every((picture) => picture.length > 1000)).toBe(true);
  });
});
