import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { Metrics } from '../../src/index.ts';
import type { ModelUsage } from '../../src/model/model-client.ts';
import { ScriptedModel } from '../../src/testing.ts';
import { startDriver } from '../support/driver-for-test.ts';
import { useBrowser } from '../support/use-browser.ts';
import { anyAnswer, anyModel } from './verb-model.ts';

const PAGE = `<!doctype html><title>Form</title><label>Name <input></label>
  <button onclick="this.textContent = 'Saved'">Save</button>`;

/** A cost that tells the measures apart. */
const usage = (factor: number): ModelUsage => ({
  promptTokens: 1000 * factor,
  completionTokens: 100 * factor,
  reasoningTokens: 10 * factor,
  cachedInputTokens: factor,
});

const model = new ScriptedModel(anyAnswer, { usage: { promptTokens: 812, completionTokens: 34 } });
const browser = useBrowser({ llmClient: model });

beforeAll(() => {
  browser.server.page('/', PAGE);
});

beforeEach(async () => {
  await browser.page.goto(browser.server.origin);
});

describe('driver.metrics', () => {
  // [spec: metrics.actPromptTokens, metrics.actCompletionTokens, metrics.actReasoningTokens]
  // [spec: metrics.actCachedInputTokens, metrics.actInferenceTimeMs]
  // [spec: metrics.extractPromptTokens, metrics.extractCompletionTokens, metrics.extractReasoningTokens]
  // [spec: metrics.extractCachedInputTokens, metrics.extractInferenceTimeMs]
  // [spec: metrics.observePromptTokens, metrics.observeCompletionTokens, metrics.observeReasoningTokens]
  // [spec: metrics.observeCachedInputTokens, metrics.observeInferenceTimeMs]
  // [spec: metrics.agentPromptTokens, metrics.agentCompletionTokens, metrics.agentReasoningTokens]
  // [spec: metrics.agentCachedInputTokens, metrics.agentInferenceTimeMs]
  // [spec: metrics.totalPromptTokens, metrics.totalCompletionTokens, metrics.totalReasoningTokens]
  // [spec: metrics.totalCachedInputTokens, metrics.totalInferenceTimeMs, properties.metrics]
  it('has 25 numbers: five for each verb and five totals', async () => {
    await using own = await startDriver({
      llmClient: model,
      localBrowserLaunchOptions: { cdpUrl: browser.driver.connectURL() },
    });
    const { driver } = own;
    const zero = await driver.metrics;
    expect(Object.keys(zero)).toHaveLength(25);
    expect(new Set(Object.values(zero))).toEqual(new Set([0]));

    await driver.act('fill "Ada" into the name', { model: anyModel(usage(1)) });
    await driver.extract('what it says', undefined, { model: anyModel(usage(2)) });
    await driver.extract('what it says', undefined, { model: anyModel(usage(2)) });
    await driver.observe('the button', { model: anyModel(usage(5)) });
    const metrics = await driver.metrics;
    expect(countsOf(metrics)).toEqual({
      act: [1000, 100, 10, 1],
      extract: [4000, 400, 40, 4],
      observe: [5000, 500, 50, 5],
      agent: [0, 0, 0, 0],
      total: [10_000, 1000, 100, 10],
    });
    const { actInferenceTimeMs, extractInferenceTimeMs, observeInferenceTimeMs, agentInferenceTimeMs } = metrics;
    for (const time of [actInferenceTimeMs, extractInferenceTimeMs, observeInferenceTimeMs])
      expect(time).toBeGreaterThan(0);
    expect(agentInferenceTimeMs).toBe(0);
    expect(metrics.totalInferenceTimeMs).toBeCloseTo(
      actInferenceTimeMs + extractInferenceTimeMs + observeInferenceTimeMs,
    );
  });

  it('returns a copy, so that changes to it do not affect the driver', async () => {
    const metrics = await browser.driver.metrics;
    metrics.totalPromptTokens = -1;
    expect((await browser.driver.metrics).totalPromptTokens).toBeGreaterThanOrEqual(0);
  });
});

function countsOf(metrics: Metrics): Record<string, number[]> {
  const groups = ['act', 'extract', 'observe', 'agent', 'total'] as const;
  return Object.fromEntries(
    groups.map((group) => [
      group,
      [
        metrics[`${group}PromptTokens`],
        metrics[`${group}CompletionTokens`],
        metrics[`${group}ReasoningTokens`],
        metrics[`${group}CachedInputTokens`],
      ],
    ]),
  );
}

describe('driver.history', () => {
  // [spec: history.method, history.parameters, history.result, history.timestamp, properties.history]
  it('lists every operation in order with its result and time, including failed ones', async () => {
    const { driver, page } = browser;
    const before = (await driver.history).length;
    const began = new Date().toISOString();
    await driver.act('fill %name% into the name', { variables: { name: 'Grace-Hopper' }, timeout: 9000 });
    const action = { selector: 'button', description: 'the button', method: 'click', arguments: [] };
    await driver.act(action);
    await driver.observe('the button', { model: anyModel(), page });
    await driver.observe({ selector: 'button' });
    await driver.extract({ ignoreSelectors: ['label'] });
    await expect(driver.extract('')).rejects.toThrow('instruction must be');
    await page.reload();
    const ended = new Date().toISOString();

    const entries = (await driver.history).slice(before);
    expect(entries.map(({ method, parameters }) => [method, parameters])).toEqual([
      ['act', { input: 'fill %name% into the name', timeout: 9000, variables: ['name'] }],
      ['act', { input: action }],
      ['observe', { instruction: 'the button' }],
      ['observe', { instruction: undefined, selector: 'button' }],
      ['extract', { instruction: undefined, ignoreSelectors: ['label'] }],
      ['extract', { instruction: '' }],
      ['navigate', { method: 'reload' }],
    ]);
    expect(entries.map(({ result }) => result)).toEqual([
      expect.objectContaining({ success: true, actions: [expect.objectContaining({ arguments: ['%name%'] })] }),
      expect.objectContaining({ success: true, effect: 'changed' }),
      [expect.objectContaining({ description: 'the button' })],
      [expect.objectContaining({ description: 'button "Saved"' })],
      { pageText: expect.stringContaining('button "Saved"') },
      { error: expect.objectContaining({ name: 'DriverInvalidArgumentError', code: 'INVALID_ARGUMENT' }) },
      { url: `${browser.server.origin}/`, status: 200 },
    ]);
    const times = entries.map(({ timestamp }) => timestamp);
    expect(times).toEqual(times.toSorted());
    expect(times.every((time) => new Date(time).toISOString() === time && time >= began && time <= ended)).toBe(true);
    expect(JSON.stringify(entries)).not.toContain('Grace-Hopper');
  });

  it('returns frozen entries that later changes of arguments and results do not affect', async () => {
    const { driver } = browser;
    const options = { selector: 'button', ignoreSelectors: ['b'] };
    const found = await driver.observe(options);
    const entries = await driver.history;
    found.length = 0;
    options.ignoreSelectors.push('i');
    const last = entries.at(-1);
    expect(last).toMatchObject({ parameters: { ignoreSelectors: ['b'] }, result: [{ method: 'click' }] });
    const parts = [entries, last, last?.parameters, last?.result, (last?.result as object[] | undefined)?.[0]];
    expect(parts.map((part) => Object.isFrozen(part))).toEqual(parts.map(() => true));
    const length = entries.length;
    await driver.extract();
    expect(entries).toHaveLength(length);
  });

  it('keeps the value that a schema transform returns, including a Map', async () => {
    const { driver } = browser;
    const looped = z.object({ name: z.string() }).transform(({ name }) => {
      const value: Record<string, unknown> = { name, prices: new Map([['mug', 9]]) };
      return Object.assign(value, { self: value });
    });
    const result = await driver.extract('the mug', looped, { model: new ScriptedModel([{ name: 'mug' }]) });
    expect(Object.isFrozen(result)).toBe(false);
    expect((await driver.history).at(-1)).toMatchObject({ result: { name: 'mug', prices: new Map([['mug', 9]]) } });
  });
});

describe('log line of a verb', () => {
  /** The last line at level 1, with its milliseconds as `N`. */
  const lastLine = (): string | undefined =>
    browser.lines.findLast(({ level }) => level === 1)?.message.replace(/\d+ ms\)$/, 'N ms)');

  // [spec: events.message, events.auxiliary]
  it('contains instruction, element, effect, model calls, tokens and time', async () => {
    await browser.driver.act('fill %name% into the name', { variables: { name: 'Grace-Hopper' } });
    expect(lastLine()).toBe(
      'act "fill %name% into the name" → Done: fill on textbox "Name". The page changed. (1 call, 812+34 tokens, N ms)',
    );
    expect(browser.lines.findLast(({ category }) => category === 'act')?.auxiliary).toEqual({
      modelCalls: 1,
      promptTokens: 812,
      completionTokens: 34,
      milliseconds: expect.any(Number) as number,
    });
  });

  it('contains "no model" when no model was called', async () => {
    await browser.driver.act({ selector: 'button', description: 'the Save button', method: 'click', arguments: [] });
    expect(lastLine()).toBe('act "the Save button" → Done: click on button "Save". The page changed. (no model, N ms)');
    await browser.driver.extract();
    expect(lastLine()).toMatch(/^extract → pageText \(\d+ characters\) read \(no model, N ms\)$/);
  });

  it('contains the found elements, and only the shape of extracted data', async () => {
    await browser.driver.observe('the button');
    expect(lastLine()).toBe('observe "the button" → 1 found: the button (1 call, 812+34 tokens, N ms)');
    const answer = { mugs: [{ name: 'Secret mug' }, { name: 'Other mug' }], total: 2 };
    const schema = z.object({ mugs: z.array(z.object({ name: z.string() })), total: z.number() });
    await browser.driver.extract('all mugs', schema, { model: new ScriptedModel([answer]) });
    expect(lastLine()).toBe('extract "all mugs" → mugs (2 entries), total read (1 call, N ms)');
  });

  it('contains the reason and the cost of a failed call', async () => {
    const refusing = new ScriptedModel(() => ({ elements: 'none' }), {
      usage: { promptTokens: 10, completionTokens: 1 },
    });
    await expect(browser.driver.observe('the button', { model: refusing })).rejects.toThrow('is unusable');
    expect(lastLine()).toMatch(/^observe "the button" failed: .* \(2 calls, 20\+2 tokens, N ms\)$/);
  });
});

describe('logger that throws', () => {
  it('does not fail the call and causes one process warning', async () => {
    const warnings: Error[] = [];
    const listen = (warning: Error): unknown => warnings.push(warning);
    process.on('warning', listen);
    await using noisy = await startDriver({
      llmClient: model,
      logger: () => {
        throw new TypeError('no disk');
      },
      localBrowserLaunchOptions: { cdpUrl: browser.driver.connectURL() },
    });
    expect((await noisy.driver.act('fill "Ada" into the name')).success).toBe(true);
    await expect.poll(() => warnings.map(({ message }) => message)).toEqual(["The driver's logger threw: no disk"]);
    process.off('warning', listen);
  });
});
