import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { DriverClosedError, DriverIframeError } from '../../src/index.ts';
import { startDriver, type TestDriver } from '../support/driver-for-test.ts';
import { failureOf } from '../support/failure-of.ts';
import { browserIn } from '../support/launched-driver.ts';
import type { TestServer } from '../support/serve.ts';
import { callMethod, goodArguments, methodsOf, turns } from './public-methods.ts';
import { makeSubjects, serveSubjects, type Subjects } from './subjects.ts';

let server: TestServer;
let started: TestDriver;
beforeAll(async () => {
  server = await serveSubjects();
});
afterAll(async () => {
  await started?.driver.close();
  await server?.close();
});

/** What is of no use without its page; a download goes on without it, and a route needs no answer any more. */
const OF_A_PAGE = ['Dialog', 'Frame', 'FrameLocator', 'Keyboard', 'Locator', 'Mouse', 'Page', 'Request', 'Response'];
const OF_A_BROWSER = [...OF_A_PAGE, 'Clipboard', 'Download', 'DriverContext'];

const ends: readonly (readonly [what: string, classes: readonly string[], end: (test: TestDriver) => Promise<void>])[] =
  [
    ['the page closed', OF_A_PAGE, closePages],
    ['the driver closed', OF_A_BROWSER, ({ driver }) => driver.close()],
    ['the browser was killed', OF_A_BROWSER, killBrowser],
  ];

describe.each(ends)('after %s', (_what, classes, end) => {
  let subjects: Subjects;
  beforeAll(async () => {
    started = await startDriver();
    subjects = await makeSubjects(started, server.origin);
    await end(started);
  });
  afterAll(() => started.driver.close());

  it.each(classes)('every method of %s that needs the browser rejects with a DriverClosedError', async (name) => {
    expect(await faultsOf(name, subjects[name], DriverClosedError)).toEqual({});
  });

  it('route.abort() resolves', async () => {
    const { Route: route } = subjects;
    expect(await callMethod(route ?? {}, 'abort', [])).toBe(undefined);
  });

  it("page.waitForEvent('close') rejects with a DriverClosedError", async () => {
    const { Page } = subjects as Record<string, { waitForEvent(event: string): Promise<unknown> } | undefined>;
    await expect(Page?.waitForEvent('close')).rejects.toThrow(DriverClosedError);
  });

  it('a second close() resolves', async () => {
    const { Page, DriverContext } = subjects as Record<string, { close(): Promise<void> } | undefined>;
    const again = classes.includes('DriverContext') ? [Page, DriverContext] : [Page];
    expect(await Promise.all(again.map(async (part) => part?.close()))).toEqual(again.map(() => undefined));
  });
});

describe('after the frame left the page', () => {
  beforeAll(async () => {
    started = await startDriver();
  });
  afterAll(() => started.driver.close());

  let subjects: Subjects;
  beforeEach(async () => {
    const { page } = started;
    await page.goto(server.origin, { waitUntil: 'load' });
    const frame = page.frame('inner');
    if (!frame) throw new TypeError('the page has no such frame');
    subjects = { Frame: frame, FrameLocator: frame.frameLocator('iframe'), Locator: frame.locator('p') };
    const left = vi.waitUntil(() => frame.isDetached(), { timeout: 10_000 });
    await page.evaluate('document.querySelector("iframe").remove()');
    await left;
  });

  // [spec: errors.DriverIframeError]
  it.each(['Frame', 'FrameLocator', 'Locator'])(
    'every method of %s that needs the frame rejects with a DriverIframeError',
    async (name) => {
      expect(await faultsOf(name, subjects[name], DriverIframeError)).toEqual({});
      expect(await started.page.title()).toBe('Here');
    },
  );
});

/** What ends what has ended has nothing left to do; a page that has closed is a wrong argument by itself. */
const EXCEPTIONS = new Set(['Page.close', 'DriverContext.close', 'DriverContext.setActivePage', 'Download.cancel']);

/** What was known before may be told still. */
const MAY_SUCCEED = new Set([
  'Request.response',
  'Response.allHeaders',
  'Response.finished',
  'Response.headerValue',
  'Response.headerValues',
  'Response.headersArray',
  'Response.securityDetails',
  'Response.serverAddr',
]);

/** What the methods of an object do that are to fail with this error, as far as they do something else. */
async function faultsOf(
  className: string,
  subject: object = {},
  expected: new (message: string) => Error,
): Promise<Record<string, unknown>> {
  const faults: Record<string, unknown> = {};
  for (const method of methodsOf(subject)) {
    const name = `${className}.${method}`;
    if (EXCEPTIONS.has(name)) continue;
    const outcome = await outcomeOf(() => callMethod(subject, method, goodArguments({ className, method, subject })));
    const isRight = outcome instanceof expected || (outcome === 'succeeded' && MAY_SUCCEED.has(name));
    if (!isRight && outcome !== 'told without a page') faults[method] = outcome;
  }
  return faults;
}

async function outcomeOf(call: () => unknown): Promise<unknown> {
  try {
    const result = call();
    if (!(result instanceof Promise)) return 'told without a page';
    return await Promise.race([result.then(() => 'succeeded'), turns(MAX_TURNS).then(() => 'nothing yet')]);
  } catch (error) {
    return error;
  }
}

/** Reading a file or loading a module may come first; a wait for a browser would take longer. */
const MAX_TURNS = 500;

async function closePages({ driver: { context } }: TestDriver): Promise<void> {
  const pages = context.pages();
  await context.newPage();
  await Promise.all(pages.map((page) => page.close()));
}

async function killBrowser({ page, lines }: TestDriver): Promise<void> {
  const gone = failureOf(page.evaluate('new Promise(() => undefined)'));
  process.kill(-browserIn(lines), 'SIGKILL');
  await gone;
}
