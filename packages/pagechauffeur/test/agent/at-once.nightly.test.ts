import { beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { Page } from '../../src/index.ts';
import { observeCalls } from '../../src/actions/observe-effect.ts';
import { Progress } from '../../src/util/progress.ts';
import { ScriptedAgent } from '../tools/scripted-agent.ts';
import { useBrowser } from '../support/use-browser.ts';

const scripted = new ScriptedAgent();
const test = useBrowser({
  llmClient: scripted.model,
  routes: {
    '/': `<title>Form</title><style>body { margin: 0 } input, button { position: absolute; width: 200px; height: 30px }</style>
      <input id="name" aria-label="Name" style="left: 50px; top: 50px"><input id="password" aria-label="Password" type="password" style="left: 50px; top: 150px">
      <button id="ask" style="left: 50px; top: 250px" onclick="this.textContent = confirm('sure?')">Ask</button>
      <input id="city" aria-label="City" style="left: 50px; top: 350px">`,
  },
});
let page: Page;

beforeEach(async () => {
  ({ page } = test);
  await page.goto(test.server.origin);
});

/** What the fields hold. */
async function values(): Promise<Record<string, string>> {
  const read = (name: string): Promise<string> => page.locator(`#${name}`).inputValue();
  return { name: await read('name'), password: await read('password'), city: await read('city') };
}

/** Types into a field by small steps, as long as the other work goes on. */
async function typingBeside<T>(work: Promise<T>): Promise<{ result: T; typed: string }> {
  let typed = '';
  const state = { isOver: false };
  const end = (): void => void (state.isOver = true);
  work.then(end, end);
  while (!state.isOver) {
    typed += 'abc';
    await page.locator('#city').type('abc');
  }
  return { result: await work, typed };
}

describe('agent steps beside other page calls', () => {
  it('keeps click, text and Enter of one tool call together while another call types', async () => {
    const run = scripted.run(
      test.driver,
      [
        [{ tool: 'typeAt', input: { x: 100, y: 165, text: '%secret%', submit: true } }],
        [{ tool: 'fill', on: { name: 'Name' }, input: { text: 'Ada', submit: true } }],
        [{ tool: 'typeAt', input: { x: 100, y: 165, text: '-two', replace: false } }],
        [{ tool: 'dragAt', input: { x: 100, y: 60, toX: 200, toY: 60 } }],
      ],
      { page, variables: { secret: 'Zanzibar-77' }, config: { mode: 'hybrid' } },
    );
    const { result, typed } = await typingBeside(run);
    expect(result.actions.map(({ success }) => success)).toEqual([true, true, true, true]);
    expect(await values()).toEqual({ name: 'Ada', password: 'Zanzibar-77-two', city: typed });
  });

  it('runs `act()` and page input from inside a custom tool', async () => {
    const ask = {
      description: 'Fills in the name.',
      inputSchema: z.object({ name: z.string() }),
      execute: async ({ name }: { name: string }) => {
        await test.driver.act(
          { selector: '#name', description: 'the name', method: 'fill', arguments: [name] },
          { page },
        );
        await page.locator('#city').click();
        await page.keyboard.type('London');
        return 'filled in';
      },
    };
    const { told } = await scripted.run(test.driver, [[{ tool: 'fillName', input: { name: 'Ada' } }]], {
      page,
      config: { tools: { fillName: ask } },
    });
    expect(told[0]).toContain('filled in');
    expect(await values()).toMatchObject({ name: 'Ada', city: 'London' });
  });

  it('runs page input from inside `onHandoff`', async () => {
    const onHandoff = async (): Promise<string> => {
      await page.locator('#password').fill('by a person');
      return 'done';
    };
    const { told } = await scripted.run(
      test.driver,
      [[{ tool: 'handoff', input: { kind: 'sign-in', question: 'Please sign in.' } }]],
      { page, callbacks: { onHandoff } },
    );
    expect(told[0]).toContain('done');
    expect(await values()).toMatchObject({ password: 'by a person' });
  });

  it('runs page input from a dialog listener during a click', async () => {
    const handled = Promise.withResolvers<void>();
    page.once('dialog', async (dialog) => {
      await dialog.accept();
      await page.locator('#city').fill('Paris').then(handled.resolve, handled.reject);
    });
    const { told } = await scripted.run(test.driver, [[{ tool: 'click', on: { name: 'Ask' } }]], { page });
    await handled.promise;
    expect(told[0]).toMatch(/^Done: click/);
    expect(await values()).toMatchObject({ city: 'Paris' });
  });
});

it('keeps all input of one `observeCalls()` together while another call types', async () => {
  const { target } = page;
  using progress = new Progress({ operation: 'computer', timeout: 0 });
  const send = async (): Promise<void> => {
    await page.click(100, 165);
    await page.keyPress('ControlOrMeta+A');
    await page.type('secret');
    await page.keyPress('End');
    await page.type('-more');
  };
  const limits = { settleTimeout: 5000, expectsAnswer: true };
  const input = observeCalls(progress, target, { label: 'typing', at: { x: 100, y: 165 }, send, ...limits });
  const { result, typed } = await typingBeside(input);
  expect(result.effect).toBe('changed');
  expect(await values()).toEqual({ name: '', password: 'secret-more', city: typed });
});
