import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { DriverClosedError, DriverError, type Page } from '../../src/index.ts';
import * as publicNames from '../../src/index.ts';
import { failureOf } from '../support/failure-of.ts';
import { browserIn } from '../support/launched-driver.ts';
import { childrenOf, commandLine } from '../support/processes.ts';
import { useBrowser } from '../support/use-browser.ts';

const test = useBrowser({
  defaultTimeout: 0,
  routes: {
    '/': '<title>Here</title><input><button disabled>Later</button>',
    '/frame': '<button>Inside</button>',
    '/never': () => undefined,
  },
});
let page: Page;

beforeAll(() => {
  const { server } = test;
  server.page('/framed', `<title>Framed</title><p>Outside</p><iframe src="${server.otherOrigin}/frame"></iframe>`);
});

beforeEach(async () => {
  page = await test.driver.context.newPage(test.server.origin);
});

afterEach(() => Promise.all(test.driver.context.pages().map((open) => open.close())));

/** Calls of every kind that do not end by themselves. */
function callsInFlight(): Promise<unknown>[] {
  return [
    page.evaluate('new Promise(() => undefined)'),
    page.locator('button').click(),
    page.locator('#never').textContent(),
    page.waitForSelector('#never'),
    page.waitForEvent('popup'),
    page.waitForTimeout(600_000),
    page.sendCDP('Runtime.evaluate', { expression: 'new Promise(() => undefined)', awaitPromise: true }),
  ];
}

/** One call of each kind, on a page that is gone. */
function laterCalls(): Promise<unknown>[] {
  return [
    page.title(),
    page.content(),
    page.evaluate('1'),
    page.goto(test.server.origin),
    page.reload(),
    page.goBack(),
    page.screenshot(),
    page.snapshot(),
    page.keyPress('a'),
    page.type('a'),
    page.click(5, 5),
    page.click(5, 5, { returnXpath: true }),
    page.locator('input').fill('x'),
    page.locator('input').count(),
    page.locator('input').isVisible(),
    page.waitForSelector('input'),
    page.waitForLoadState('networkidle'),
    page.waitForEvent('popup'),
    page.sendCDP('Page.enable'),
    page.bringToFront(),
  ];
}

async function failuresOf(calls: readonly Promise<unknown>[]): Promise<readonly string[]> {
  const failures = await Promise.all(calls.map(failureOf));
  return failures.map((failure) => (failure instanceof DriverError ? failure.name : String(failure)));
}

const CRASHES: readonly [how: string, crash: () => void][] = [
  ['chrome://crash', () => void page.goto('chrome://crash').catch(() => undefined)],
  ['Page.crash', () => void page.sendCDP('Page.crash').catch(() => undefined)],
];

/** The processes of the browser that do this kind of work. */
function workersOf(kind: 'renderer' | 'gpu-process'): number[] {
  const below = (pid: number): number[] => childrenOf(pid).flatMap((child) => [child, ...below(child)]);
  return below(browserIn(test.lines)).filter((pid) =>
    commandLine(pid).some((argument) => argument.includes(`--type=${kind}`)),
  );
}

describe('page crash', () => {
  it.each(CRASHES)('rejects pending and later calls, and leaves other pages usable (%s)', async (_how, crash) => {
    const other = await test.driver.context.newPage(test.server.origin);
    test.driver.context.setActivePage(page);
    const closed = page.waitForEvent('close');
    const calls = callsInFlight();
    crash();
    expect(await failuresOf(calls)).toEqual(calls.map(() => 'DriverClosedError'));
    expect(await closed).toBe(page);
    const later = laterCalls();
    expect(await failuresOf(later)).toEqual(later.map(() => 'DriverClosedError'));
    await expect(page.title()).rejects.toThrow(/The page crashed/);
    expect(page.isClosed()).toBe(true);
    expect(test.driver.context.pages()).not.toContain(page);
    expect(test.driver.context.activePage()).toBe(other);
    expect(await other.title()).toBe('Here');
    await page.close();
    const fresh = await test.driver.context.newPage(test.server.origin);
    expect(await fresh.title()).toBe('Here');
  });

  it('rejects pending calls and opens new pages after all renderer processes are killed', async () => {
    const calls = callsInFlight();
    for (const pid of workersOf('renderer')) process.kill(pid, 'SIGKILL');
    expect(await failuresOf(calls)).toEqual(calls.map(() => 'DriverClosedError'));
    // A process that the browser keeps ready died with the others, and a page may still get it.
    await expect.poll(async () => (await test.driver.context.newPage(test.server.origin)).title()).toBe('Here');
  });

  it('rejects a pending `act` and a later `observe`', async () => {
    const acting = test.driver.act({ selector: 'button', description: 'Later', method: 'click' }, { page });
    const failure = failureOf(acting);
    void page.sendCDP('Page.crash').catch(() => undefined);
    expect(await failure).toBeInstanceOf(DriverClosedError);
    await expect(test.driver.observe({ page })).rejects.toThrow(/page must be an open page of this driver/);
  });

  it('rejects `newPage()` when the page crashes while it opens', async () => {
    await expect(test.driver.context.newPage('chrome://crash')).rejects.toThrow(DriverError);
    expect(await page.title()).toBe('Here');
  });
});

describe('frame crash', () => {
  it('rejects waits in the frame, and leaves the page usable', async () => {
    await page.goto(`${test.server.origin}/framed`, { waitUntil: 'load' });
    const inside = page.locator('iframe >> button');
    await inside.waitFor();
    const waiting = failureOf(page.locator('iframe >> #never').waitFor());
    const [, node] = page.target.frames.frames;
    await expect(node?.session.send('Page.crash')).rejects.toThrow(DriverClosedError);
    expect(await waiting).toMatchObject({
      name: 'DriverIframeError',
      message: expect.stringMatching(/The frame http:\/\/localhost.* crashed/),
    });
    expect(page.isClosed()).toBe(false);
    expect(await page.title()).toBe('Framed');
    expect((await page.snapshot()).text).toContain('Outside');
    await page.reload();
    await inside.click();
    expect((await page.snapshot()).text).toContain('Inside');
  });
});

describe('graphics process crash', () => {
  it('keeps the page usable after the GPU process is killed', async () => {
    const processes = workersOf('gpu-process');
    expect(processes).not.toEqual([]);
    for (const pid of processes) process.kill(pid, 'SIGKILL');
    expect(await page.title()).toBe('Here');
    expect((await page.screenshot()).length).toBeGreaterThan(100);
    await page.locator('input').fill('still here');
    expect(await page.locator('input').inputValue()).toBe('still here');
  });
});

describe('public errors', () => {
  it('rejects calls during navigations with exported error classes only', async () => {
    test.server.page(
      '/restless',
      `<input><iframe src="${test.server.otherOrigin}/frame"></iframe>
      <script>addEventListener('load', () => location.replace('/restless?' + Math.random()))</script>`,
    );
    await page.goto(`${test.server.origin}/restless`, { waitUntil: 'commit' });
    const limit = { timeout: 1000 };
    const failures: unknown[] = [];
    for (let round = 0; round < 4; round += 1) {
      const calls = [
        page.keyPress('a', limit),
        page.type('abc', limit),
        page.click(20, 20, limit),
        page.click(20, 20, { ...limit, returnXpath: true }),
        page.snapshot(limit),
        page.title(),
        page.content(),
        page.screenshot(limit),
        page.locator('input').fill('x', limit),
        page.locator('input').count(limit),
        page.locator('iframe >> button').isVisible(limit),
        page.evaluate('document.title'),
        page.sendCDP('DOM.describeNode', { backendNodeId: 1 }),
        ...page.frames().map((frame) => frame.evaluate('1')),
      ];
      failures.push(
        ...(await Promise.all(
          calls.map((call) =>
            call.then(
              () => undefined,
              (error: unknown) => error,
            ),
          ),
        )),
      );
    }
    const names = failures
      .filter((failure) => failure !== undefined)
      .map((failure) => (failure instanceof Error ? failure.name : String(failure)));
    // Without a navigation, only `describeNode` would fail, once in each round.
    expect(names.length).toBeGreaterThan(4);
    expect(names.filter((name) => !(name in publicNames))).toEqual([]);
    test.server.page('/restless', '<title>Calm</title>');
    await expect.poll(() => page.title(), { timeout: 10_000 }).toBe('Calm');
  });

  it('names the command and the reason when the browser refuses `sendCDP()`', async () => {
    await expect(page.sendCDP('No.such')).rejects.toMatchObject({
      name: 'DriverProtocolError',
      code: 'PROTOCOL',
      method: 'No.such',
      reason: expect.stringContaining(`wasn't found`),
    });
  });
});
