import type { ServerResponse } from 'node:http';
import { expect, test } from 'vitest';
import { useBrowser } from '../support/use-browser.ts';

const browser = useBrowser({
  routes: {
    '/frame': '<title>Frame</title>',
    '/other': '<title>Other</title>',
    '/holds-frame': '<title>Holds</title><iframe src="/frame"></iframe>',
  },
});

/** Answers a path only when it is told to; what a browser keeps is asked for again. */
function heldPage(path: string, html: string): { answer(): Promise<void> } {
  const asked: ServerResponse[] = [];
  browser.server.page(path, (_request, response) => void asked.push(response));
  return {
    async answer() {
      await expect.poll(() => asked.length).toBe(1);
      asked.shift()?.writeHead(200, { 'content-type': 'text/html', 'cache-control': 'no-store' }).end(html);
    },
  };
}

test.each(['goBack', 'goForward'] as const)(
  '%s() resolves with its own document although a frame loads meanwhile',
  async (step) => {
    const { page, server } = browser;
    const goal = heldPage('/goal', '<title>Goal</title>');
    const frame = heldPage('/late', '<title>Late</title>');
    server.page('/with-frame', '<title>With frame</title><iframe src="/late"></iframe>');
    const open = async (): Promise<void> => {
      const opened = page.goto(`${server.origin}/goal`);
      await goal.answer();
      await opened;
    };
    if (step === 'goBack') await open();
    await page.goto(`${server.origin}/with-frame`);
    if (step === 'goForward') {
      await frame.answer();
      await open();
      await page.goBack();
    }
    const gone = page[step]();
    await frame.answer();
    await page.waitForEvent('framenavigated', (shown) => shown.url().endsWith('/late'));
    await goal.answer();
    expect((await gone)?.url()).toBe(`${server.origin}/goal`);
    expect(await page.title()).toBe('Goal');
  },
);

test.each([
  ['another document', 'frames[0].location.href = "/other"', 'frames[0].document.title', 'Other', 'Frame'],
  ['a pushed state', 'frames[0].history.pushState(0, "", "#state")', 'frames[0].location.hash', '#state', ''],
  ['a fragment', 'frames[0].location.hash = "#part"', 'frames[0].location.hash', '#part', ''],
])(
  'goBack() and goForward() resolve once a frame shows the step over %s',
  async (_what, change, look, after, before) => {
    const { page, server } = browser;
    await page.goto(`${server.origin}/holds-frame`, { waitUntil: 'load' });
    await page.evaluate(change);
    await expect.poll(() => page.evaluate(look)).toBe(after);
    expect(await page.goBack()).toBeNull();
    expect(await page.evaluate(look)).toBe(before);
    expect(await page.goForward()).toBeNull();
    expect(await page.evaluate(look)).toBe(after);
  },
);
