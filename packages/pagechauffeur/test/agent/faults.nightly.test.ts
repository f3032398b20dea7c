import { jsonSchema } from 'ai';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  AgentAbortError,
  type AgentConfig,
  type AgentResult,
  DriverClosedError,
  type ExecuteOptions,
  type Page,
} from '../../src/index.ts';
import { type ScriptedAnswer, ScriptedModel } from '../../src/testing.ts';
import { isRemote, startDriver } from '../support/driver-for-test.ts';
import { failureOf } from '../support/failure-of.ts';
import { browserIn } from '../support/launched-driver.ts';
import { useBrowser } from '../support/use-browser.ts';
import { click, never, step } from './steps-for-test.ts';

const browser = useBrowser({
  routes: { '/': `<title>Here</title><button onclick="document.title += '.'">Buy</button>` },
});
let page: Page;
let model: ScriptedModel;

beforeEach(async () => {
  page = await browser.driver.context.newPage(browser.server.origin);
});

afterEach(async () => {
  const [first, ...others] = browser.driver.context.pages();
  await Promise.all(others.map((other) => other.close()));
  if (!first) await browser.driver.context.newPage();
});

type Script = ConstructorParameters<typeof ScriptedModel>[0];

function play(script: Script, options: Partial<ExecuteOptions> = {}, config: AgentConfig = {}): Promise<AgentResult> {
  model = new ScriptedModel(script, { allowUnknownRefs: true });
  const agent = browser.driver.agent({ ...config, model, stream: false });
  return agent.execute({ instruction: 'Buy a mug', page, ...options });
}

/** An answer that comes after something has happened. */
function after(event: () => Promise<unknown>, answer: ScriptedAnswer): ScriptedAnswer {
  return async (request) => {
    await event();
    return typeof answer === 'function' ? answer(request) : answer;
  };
}

const GIVE_UP = step({ tool: 'done', input: { success: false, message: 'It is gone.' } });

function told(): string {
  return JSON.stringify(model.requests.at(-1)?.messages);
}

describe('page loss during a run', () => {
  const closed = async (): Promise<void> => page.close();
  const crashed = async (): Promise<void> => {
    await failureOf(page.sendCDP('Page.crash'));
  };

  it.each([
    ['a page that is closed outside the run', closed, 'The page was closed'],
    ['a crashed page', crashed, 'The page crashed'],
  ])('reports %s to the model, and continues in the remaining page', async (_what, happens, words) => {
    const other = await browser.driver.context.newPage('data:text/html,<title>Other</title><h1>Other</h1>');
    browser.driver.context.setActivePage(other);
    const result = await play([after(happens, step(click('Buy'))), GIVE_UP]);
    expect(result).toMatchObject({ success: false, completed: true, message: 'It is gone.' });
    // What was asked about the page is dropped with it.
    expect(result.actions.map(({ tool }) => tool)).toEqual(['done']);
    expect(told()).toContain(words);
    expect(told()).toContain('Other');
  });

  it('completes the run when the page closes before a `wait` call', async () => {
    const result = await play([after(closed, step({ tool: 'wait', input: {} })), GIVE_UP]);
    expect(result).toMatchObject({ completed: true, message: 'It is gone.' });
  });

  it('reports an unresponsive page to the model, and continues the run', async () => {
    const hang = (): Promise<unknown> => page.evaluate('void setTimeout(() => { for (;;) {} })');
    const result = await play([after(hang, step({ tool: 'nothing' })), GIVE_UP], { toolTimeout: 500 });
    expect(result).toMatchObject({ success: false, completed: true, message: 'It is gone.' });
    expect(told()).toContain('The page does not respond');
  });

  it('ends the run when the last page closes', async () => {
    const all = (): Promise<unknown> => Promise.all(browser.driver.context.pages().map((open) => open.close()));
    const result = await play([after(all, step(click('Buy')))]);
    expect(result).toMatchObject({ success: false, completed: false });
    expect(result.message).toContain('every page was closed');
    expect(result.actions).toEqual([]);
  });
});

describe('failing custom tool', () => {
  const inputSchema = jsonSchema({ type: 'object', properties: {} });

  it('reports a thrown error to the model, and the run continues', async () => {
    const execute = (): never => {
      throw new RangeError('out of mugs');
    };
    const tools = { order: { description: 'Orders', inputSchema, execute } };
    const result = await play([step({ tool: 'order' }), GIVE_UP], {}, { tools });
    expect(result).toMatchObject({ completed: true, message: 'It is gone.' });
    expect(result.actions[0]).toMatchObject({ success: false, result: expect.stringContaining('out of mugs') });
    expect(told()).toContain('out of mugs');
  });

  it('reports a timeout at `toolTimeout`, and the run continues', async () => {
    const tools = { order: { description: 'Orders', inputSchema, execute: never } };
    const result = await play([step({ tool: 'order' }), GIVE_UP], { toolTimeout: 100 }, { tools });
    expect(result).toMatchObject({ completed: true });
    expect(result.actions[0]).toMatchObject({
      success: false,
      result: expect.stringContaining('Timeout 100 ms exceeded'),
    });
  });
});

describe('abort signal', () => {
  /** Answers for ever, a click each. */
  const clicking: Script = (request) => {
    const answer = step(click('Buy'), { tool: 'wait', input: {} });
    return typeof answer === 'function' ? answer(request) : answer;
  };

  it.each(['before', 'step-start', 'onBeforeAction', 'tool-result', 'step-finish'] as const)(
    'rejects the run and stops input and model calls after an abort (moment: %s)',
    async (moment) => {
      const controller = new AbortController();
      const steps = moment === 'before' ? 0 : 2;
      let count = 0;
      const abortAt = (name: string): void => {
        if (name === moment && (count += 1) === steps) controller.abort(name);
      };
      if (moment === 'before') controller.abort(moment);
      const run = play(clicking, {
        signal: controller.signal,
        callbacks: { onChunk: ({ type }) => abortAt(type), onBeforeAction: () => abortAt('onBeforeAction') },
      });
      const error = await failureOf(run);
      expect(error).toBeInstanceOf(AgentAbortError);
      expect(error).toMatchObject({ cause: moment });
      const [asked, clicks] = [model.requests.length, await page.title()];
      await page.evaluate(
        'new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve(1))))',
      );
      expect([model.requests.length, await page.title()]).toEqual([asked, clicks]);
      expect(asked).toBeLessThan(4);
    },
  );
});

// What becomes of one elsewhere is seen by `npm run faults`.
it.skipIf(isRemote)('rejects the run with DriverClosedError when the browser process is killed', async () => {
  await using started = await startDriver({ llmClient: new ScriptedModel([() => kill()]) });
  const pid = browserIn(started.lines);
  const kill = (): Promise<unknown> => {
    process.kill(pid, 'SIGKILL');
    return never();
  };
  const error = await failureOf(started.driver.agent().execute('Buy a mug'));
  expect(error).toBeInstanceOf(DriverClosedError);
});

it('rejects the run with DriverClosedError when the driver closes', async () => {
  const thinking = Promise.withResolvers<void>();
  const thinker = new ScriptedModel([
    () => {
      thinking.resolve();
      return never();
    },
  ]);
  const started = await startDriver({ llmClient: thinker });
  const run = failureOf(started.driver.agent().execute('Buy a mug'));
  await thinking.promise;
  await started.driver.close();
  expect(await run).toBeInstanceOf(DriverClosedError);
});
