import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import {
  AgentAbortError,
  DriverClosedError,
  type ModelRequest,
  type ModelResponse,
  type Page,
} from '../../src/index.ts';
import { NO_USAGE } from '../../src/model/model-usage.ts';
import { refOf } from '../../src/testing.ts';
import { failureOf } from '../support/failure-of.ts';
import { useBrowser } from '../support/use-browser.ts';

const cacheDir = await mkdtemp(join(tmpdir(), 'lost-pages-'));
afterAll(() => rm(cacheDir, { recursive: true, force: true }));

/** What the model answers; a question that it is not to answer stays open. */
let answer: ((request: ModelRequest) => unknown) | undefined;
let asked: PromiseWithResolvers<ModelRequest>;
const held: { requested: PromiseWithResolvers<void> } = { requested: Promise.withResolvers() };

const test = useBrowser({
  cacheDir,
  llmClient: {
    modelName: 'own/model',
    generate: (request: ModelRequest): Promise<ModelResponse> => {
      asked.resolve(request);
      if (!answer) return Promise.withResolvers<ModelResponse>().promise;
      return Promise.resolve({ output: answer(request), usage: NO_USAGE });
    },
  },
  routes: {
    '/': `<title>Form</title><button id="save">Save</button><button id="late" disabled>Late</button>
      <button id="busy" onclick="fetch('/held')">Busy</button>
      <button id="close" onclick="window.close()">Close</button>`,
    '/held': () => held.requested.resolve(),
  },
});
let page: Page;

beforeEach(async () => {
  answer = undefined;
  asked = Promise.withResolvers();
  held.requested = Promise.withResolvers();
  page = await test.driver.context.newPage(test.server.origin);
});

const click = (id: string): { selector: string; description: string; method: string } => ({
  selector: `#${id}`,
  description: id,
  method: 'click',
});

type Loss = readonly [how: string, lose: () => unknown, message: RegExp];

const LOSSES: readonly Loss[] = [
  ['closes', () => page.close(), /The page was closed/],
  ['crashes', () => page.sendCDP('Page.crash').catch(() => undefined), /The page crashed/],
];

/** Calls that cannot end, and when each is as far as it comes. */
const CALLS: readonly (readonly [what: string, begin: () => Promise<unknown>, until: () => Promise<unknown>])[] = [
  ['an act that waits for its model', () => test.driver.act('press Save', { page }), () => asked.promise],
  [
    'an extract that waits for its model',
    () => test.driver.extract('the title', undefined, { page }),
    () => asked.promise,
  ],
  ['an observe that waits for its model', () => test.driver.observe('the buttons', { page }), () => asked.promise],
  [
    'an act that waits for its element',
    () => test.driver.act(click('late'), { page, timeout: 0 }),
    () => page.evaluate('new Promise((done) => setTimeout(done, 100))'),
  ],
  [
    'an act that waits for the page to settle',
    () => test.driver.act(click('busy'), { page }),
    () => held.requested.promise,
  ],
  [
    'an act that waits for the page lock',
    () => {
      test.driver.act(click('busy'), { page }).catch(() => undefined);
      return held.requested.promise.then(() => test.driver.act(click('save'), { page }));
    },
    () => held.requested.promise,
  ],
  [
    'a locator action that waits for its element',
    () => page.locator('#late').click(),
    () => page.evaluate('new Promise((done) => setTimeout(done, 100))'),
  ],
];

describe.each(LOSSES)('pending call when the page %s', (_how, lose, message) => {
  it.each(CALLS)('immediately rejects %s', async (_what, begin, until) => {
    const failure = failureOf(begin());
    await until();
    const lost = lose();
    expect(await failure).toBeInstanceOf(DriverClosedError);
    expect(String(await failure)).toMatch(message);
    await lost;
  });

  it('immediately rejects a cache replay that waits for the model', async () => {
    const { driver } = test;
    answer = (request) => ({
      action: {
        ref: refOf(request, { role: 'button', name: 'Save' }),
        method: 'click',
        arguments: [],
        description: 'Save',
      },
      twoStep: false,
      reason: '',
      candidates: [],
    });
    expect(await driver.act('click the Save button', { page })).toMatchObject({ success: true });
    answer = undefined;
    asked = Promise.withResolvers();
    await page.evaluate(`document.querySelector('#save').remove()`);
    const failure = failureOf(driver.act('click the Save button', { page }));
    await asked.promise;
    const lost = lose();
    expect(await failure).toBeInstanceOf(DriverClosedError);
    expect(String(await failure)).toMatch(message);
    await lost;
  });

  it('aborts the model call of an agent and asks again about the remaining page', async () => {
    const stop = new AbortController();
    const run = failureOf(test.driver.agent().execute({ instruction: 'press Save', page, signal: stop.signal }));
    const { signal } = await asked.promise;
    asked = Promise.withResolvers();
    const lost = lose();
    const again = await asked.promise;
    expect(signal.aborted).toBe(true);
    expect(again.page.url).toBe(test.page.url());
    expect(JSON.stringify(again.messages)).toContain('You now work on page 1');
    stop.abort();
    expect(await run).toBeInstanceOf(AgentAbortError);
    await lost;
  });
});

it('succeeds when the click of an act closes the page', async () => {
  const [popup] = await Promise.all([page.waitForEvent('popup'), page.evaluate(`void window.open('/')`)]);
  await popup.waitForURL(`${test.server.origin}/`);
  const result = await test.driver.act(click('close'), { page: popup });
  expect(result).toMatchObject({
    success: true,
    effect: 'changed',
    message: expect.stringMatching(/the page closed(?!.*did not settle)/),
  });
  expect(popup.isClosed()).toBe(true);
});
