import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, beforeEach, describe, expect, expectTypeOf, it, vi } from 'vitest';
import { z } from 'zod';
import type { Driver, ModelConfiguration, Page, VariableValue } from '../../src/index.ts';
import type { ModelRequest } from '../../src/model/model-client.ts';
import { ScriptedModel } from '../../src/testing.ts';
import { isRemote, startDriver } from '../support/driver-for-test.ts';
import { failureOf } from '../support/failure-of.ts';
import { useBrowser } from '../support/use-browser.ts';
import { anyAnswer, anyModel, fillsField, silentModel } from './verb-model.ts';

const PAGE = `<!doctype html><title>Form</title><h1>Form</h1>
  <label>Name <input id="name"></label><button id="save">Save</button>
  <section id="news"><h2>News</h2><p>All quiet</p></section>`;

const model = new ScriptedModel(anyAnswer);
const browser = useBrowser({ llmClient: model, systemPrompt: 'The shop is in Norway.' });

beforeAll(() => {
  browser.server.page('/', PAGE);
});

beforeEach(async () => {
  await browser.page.goto(browser.server.origin);
  model.requests.length = 0;
});

interface Call {
  readonly model?: ModelConfiguration;
  readonly page?: Page;
  readonly timeout?: number;
  readonly signal?: AbortSignal;
  readonly serverCache?: boolean;
}

/** Each verb, asking a model. */
const verbs: Readonly<Record<string, (driver: Driver, options?: Call) => Promise<unknown>>> = {
  act: (driver, options) => driver.act('fill "Ada" into the name', options),
  observe: (driver, options) => driver.observe('the button', options),
  extract: (driver, options) => driver.extract('what it says', undefined, options),
};
const eachVerb = Object.entries(verbs);

const fieldValue = (): Promise<unknown> => browser.page.locator('#name').inputValue();

describe('act(), observe() and extract()', () => {
  // [spec: driver-options.llmClient, act-options.none]
  it.each(eachVerb)("%s calls the driver's model once if the call sets no model", async (name, call) => {
    await call(browser.driver);
    await call(browser.driver, {});
    expect(model.requests.map(({ verb }) => verb)).toEqual([name, name]);
  });

  // [spec: act-options.model, observe-options.model, extract-options.model]
  it.each(eachVerb)('%s uses only the model of the call', async (_name, call) => {
    const own = anyModel();
    await call(browser.driver, { model: own });
    expect([own.requests.length, model.requests.length]).toEqual([1, 0]);
  });

  // [spec: driver-options.systemPrompt]
  it.each(eachVerb)('%s sends the system prompt of the driver', async (_name, call) => {
    await call(browser.driver);
    const [system] = model.requests[0]?.messages ?? [];
    expect(system).toMatchObject({ role: 'system', text: expect.stringContaining('The shop is in Norway.') });
  });

  // [spec: observe-options.timeout, extract-options.timeout, act-options.timeout]
  // [spec: limits.timeout-act, limits.timeout-observe, limits.timeout-extract]
  it.each(eachVerb)('%s ends at its timeout and aborts the model request', async (name, call) => {
    const asked = Promise.withResolvers<void>();
    const silent = silentModel(asked.resolve);
    // The clock of the call stands still until the model has been asked.
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
    try {
      const failure = failureOf(call(browser.driver, { model: silent, timeout: 300 }));
      await asked.promise;
      vi.advanceTimersByTime(300);
      expect(await failure).toMatchObject({
        name: `${name[0]?.toUpperCase()}${name.slice(1)}TimeoutError`,
        operation: name,
        timeout: 300,
      });
    } finally {
      vi.useRealTimers();
    }
    expect(silent.requests[0]?.signal.aborted).toBe(true);
  });

  it.each(eachVerb)('%s ends on its signal and aborts the model request', async (_name, call) => {
    const silent = silentModel();
    const controller = new AbortController();
    const failure = call(browser.driver, { model: silent, signal: controller.signal });
    await expect.poll(() => silent.requests.length).toBe(1);
    controller.abort('enough');
    await expect(failure).rejects.toMatchObject({ name: 'DriverAbortError', cause: 'enough' });
    expect(silent.requests[0]?.signal.aborted).toBe(true);
    expect(await fieldValue()).toBe('');
  });

  // [spec: driver-options.serverCache, act-options.serverCache, observe-options.serverCache]
  // [spec: extract-options.serverCache, act-result.cacheStatus, extract-result.cacheStatus]
  // Elsewhere it has one, which `remote/server-cache.test.ts` shows.
  it.skipIf(isRemote).each(eachVerb)(
    '%s accepts serverCache, which has no effect with env LOCAL',
    async (_name, call) => {
      for (const serverCache of [true, false])
        expect(await call(browser.driver, { serverCache })).not.toHaveProperty('cacheStatus');
      expect(model.requests).toHaveLength(2);
    },
  );

  // [spec: act-options.page, observe-options.page, extract-options.page, page.active]
  it.each(eachVerb)('%s uses the page option, by default the active page', async (_name, call) => {
    const { driver, page } = browser;
    const other = await driver.context.newPage(browser.server.page('/other', PAGE.replaceAll('Form', 'Other')));
    await call(driver, { page });
    await call(driver);
    expect(model.requests.map((request) => request.page.title)).toEqual(['Form', 'Other']);
    await other.close();
  });

  // [spec: service.verbs-on-driver]
  it.each(eachVerb)('%s is a method of the driver and not of a page', (name) => {
    expect(browser.driver).toHaveProperty(name);
    expect(browser.page).not.toHaveProperty(name);
  });
});

describe('variable', () => {
  // [spec: variable-value.string, variable-value.number, variable-value.boolean, variable-value.object]
  // [spec: variable-value.description, authentication.variables-kept]
  it.each<[what: string, value: VariableValue, typed: string, description: string | undefined]>([
    ['a string', 'Grace-Hopper', 'Grace-Hopper', undefined],
    ['an empty string', '', '', undefined],
    ['a number', 1906.5, '1906.5', undefined],
    ['a boolean', false, 'false', undefined],
    ['an object', { value: 'Grace-Hopper' }, 'Grace-Hopper', undefined],
    ['an object with a number', { value: 1906.5 }, '1906.5', undefined],
    ['an object with a boolean', { value: true }, 'true', undefined],
    ['an object with a description', { value: 'Grace-Hopper', description: 'the guest' }, 'Grace-Hopper', 'the guest'],
  ])('%s puts its value into the field and only its name into the prompt', async (_what, value, typed, description) => {
    await browser.driver.act('fill %name% into the name', { variables: { name: value } });
    expect(await fieldValue()).toBe(typed);
    const [request] = model.requests;
    expect(request?.variables).toEqual([description === undefined ? { name: 'name' } : { name: 'name', description }]);
    const { variables, messages, instruction, page } = request as ModelRequest;
    const told = JSON.stringify({ variables, messages, instruction, text: page.text });
    expect(told).toContain(description ?? '%name%');
    expect(told).not.toMatch(/Grace-Hopper|1906/);
  });
});

describe('extract', () => {
  const heading = z.object({ heading: z.string() });

  // [spec: extract-calls.schema-options, extract-options.ignoreSelectors]
  it('accepts instruction, schema and options, which limit the text sent to the model', async () => {
    const own = new ScriptedModel([{ heading: 'Form' }]);
    const result = await browser.driver.extract('the heading', heading, { model: own, ignoreSelectors: ['#news'] });
    expectTypeOf(result).toEqualTypeOf<{ heading: string; readonly cacheStatus?: 'HIT' | 'MISS' }>();
    expect(result).toEqual({ heading: 'Form' });
    expect(own.requests[0]?.page.text).toContain('Form');
    expect(own.requests[0]?.page.text).not.toContain('All quiet');
  });

  // [spec: extract-calls.observed-selector, extract-options.selector]
  it('limits the page text to the selector of an observed action', async () => {
    const [button] = await browser.driver.observe('the button');
    expect(await browser.driver.extract({ selector: button?.selector ?? '' })).toEqual({
      pageText: expect.stringMatching(/^e\d+ button "Save"$/) as string,
    });
  });
});

describe('page that the injected script cannot read', () => {
  // [spec: errors.DriverDomProcessError]
  it.each(eachVerb)('%s rejects with the cause', async (_name, call) => {
    const { session, contextId } = await browser.page.target.frames.main.worlds.isolated;
    const failing = `new Proxy({}, { get: () => () => { throw new RangeError('out of range') } })`;
    await session.send('Runtime.evaluate', { contextId, expression: `chauffeur = ${failing}` });
    await expect(call(browser.driver)).rejects.toMatchObject({
      name: 'DriverDomProcessError',
      message: expect.stringContaining('RangeError: out of range') as string,
    });
  });
});

describe('domSettleTimeout', () => {
  // [spec: driver-options.domSettleTimeout, limits.domSettleTimeout]
  it.each(eachVerb)('limits how long %s waits for a page that never settles', async (_name, call) => {
    browser.server.page('/endless', (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/html' });
      response.write(PAGE);
    });
    await using impatient = await startDriver({
      llmClient: model,
      domSettleTimeout: 100,
      localBrowserLaunchOptions: { cdpUrl: browser.driver.connectURL() },
    });
    const page = await impatient.driver.context.newPage();
    await page.goto(`${browser.server.origin}/endless`, { waitUntil: 'commit' });
    await page.waitForSelector('#news');
    // With the default of 30 s the call would end at its own limit.
    expect(await call(impatient.driver, { timeout: 20_000 })).toBeDefined();
    await page.close();
  });
});

describe('logInferenceToFile', () => {
  // [spec: driver-options.logInferenceToFile]
  it('writes each request and response as a line of JSON, with placeholders instead of values', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'inference-'));
    const before = process.cwd();
    process.chdir(folder);
    try {
      await using writing = await startDriver({
        llmClient: new ScriptedModel((request) => fillsField(request, ['%name%'])),
        logInferenceToFile: true,
        localBrowserLaunchOptions: { cdpUrl: browser.driver.connectURL() },
      });
      await writing.driver.act('fill %name% into the name', { variables: { name: 'Grace-Hopper' } });
      const [file = '', ...others] = await readdir(join(folder, 'inference'));
      expect(others).toEqual([]);
      const [line = '', rest] = (await readFile(join(folder, 'inference', file), 'utf8')).split('\n');
      expect(rest).toBe('');
      expect(JSON.parse(line)).toMatchObject({
        verb: 'act',
        model: 'scripted/model',
        messages: [{ role: 'system' }, { role: 'user' }, { role: 'user', text: expect.stringContaining('%name%') }],
        output: { action: { arguments: ['%name%'] } },
      });
      expect(line).not.toContain('Grace-Hopper');
    } finally {
      process.chdir(before);
      await rm(folder, { recursive: true });
    }
  });
});
