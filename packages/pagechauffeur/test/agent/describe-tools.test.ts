import { existsSync } from 'node:fs';
import { expect, describe, it, beforeEach } from 'vitest';
import type { ExecuteOptions, ModelRequest } from '../../src/index.ts';
import { toolSchema } from '../../src/model/portable-schema.ts';
import { refOf, ScriptedModel } from '../../src/testing.ts';
import { useBrowser } from '../support/use-browser.ts';
import { click, done, step } from './steps-for-test.ts';

const browser = useBrowser();
const FORM = `<title>Sign up</title><label>Name <input></label><label><input type=checkbox> News</label>
  <button onclick="said.textContent = 'Thank you'">Send</button><p id=said></p>`;
let model: ScriptedModel;

beforeEach(() => browser.page.setContent(FORM));

/** What a model is told in each request of a run that clicks once and is done. */
async function requestsOf(options: Partial<ExecuteOptions> = {}, mode?: 'hybrid'): Promise<readonly ModelRequest[]> {
  model = new ScriptedModel([step(click('Send')), done('Sent.')]);
  const agent = browser.driver.agent({ model, ...(mode && { mode }) });
  await agent.execute({ instruction: 'Send it', page: browser.page, ...options });
  return model.requests;
}

function namesIn({ tools = [] }: ModelRequest): readonly string[] {
  return tools.map(({ name }) => name);
}

function actionsIn({ tools = [] }: ModelRequest): readonly unknown[] {
  const act = tools.find(({ name }) => name === 'act');
  const { action } = (act?.input['properties'] ?? {}) as { action?: { enum: readonly unknown[] } };
  return action?.enum ?? [];
}

/** What providers are sent of the tools and the rules, in one text. */
function toldIn({ tools = [], messages }: ModelRequest): string {
  const told = tools.map(({ name, description, input }) =>
    JSON.stringify({ name, description, inputSchema: toolSchema(input) }),
  );
  return [...told, ...messages.filter(({ role }) => role === 'system').map(({ text }) => text)].join('\n');
}

const APPS = new URL('../../../../apps/', import.meta.url);
const isInstalled = existsSync(new URL('node_modules/gpt-tokenizer', APPS));

async function tokensOf(text: string): Promise<number> {
  const { tokensOf: count } = (await import(new URL('page-tokens.ts', APPS).href)) as {
    tokensOf(words: string): number;
  };
  return count(text);
}

/** Characters of a token of the o200k_base encoding in such texts, at least. */
const CHARACTERS_PER_TOKEN = 3.5;

describe('tool definitions', () => {
  it('offers 5 tools, the same in every request of a run', async () => {
    const requests = await requestsOf();
    expect(namesIn(requests[0] as ModelRequest)).toEqual(['act', 'navigate', 'read', 'screenshot', 'done']);
    expect(new Set(requests.map(toldIn)).size).toBe(1);
  });

  it('uses fewer than 1,200 estimated tokens, rules included', async () => {
    const [first] = await requestsOf();
    expect(toldIn(first as ModelRequest).length / CHARACTERS_PER_TOKEN).toBeLessThan(1200);
  });

  it.skipIf(!isInstalled)('uses at most 1,050 tokens, rules included', async () => {
    const [first] = await requestsOf();
    expect(await tokensOf(toldIn(first as ModelRequest))).toBeLessThanOrEqual(1050);
  });

  it('accepts screenshot points in hybrid mode, still with 5 tools', async () => {
    const [first] = await requestsOf({}, 'hybrid');
    expect(namesIn(first as ModelRequest)).toHaveLength(5);
    expect(JSON.stringify(first?.tools)).toContain('"toX"');
  });

  it('omits excluded tools, named individually or by group', async () => {
    const [some] = await requestsOf({ excludeTools: ['back', 'expand', 'fill', 'zoom', 'tabs'] });
    expect(actionsIn(some as ModelRequest)).not.toContain('back');
    expect(actionsIn(some as ModelRequest)).not.toContain('fill');
    expect(actionsIn(some as ModelRequest)).toContain('click');
    expect(namesIn(some as ModelRequest)).toEqual(expect.arrayContaining(['read', 'screenshot']));
    expect(JSON.stringify(some?.tools)).not.toContain('tabs');
    const read = some?.tools?.find(({ name }) => name === 'read');
    expect(read?.description).not.toContain('folds');
    model = new ScriptedModel([done()]);
    await browser.driver.agent({ model }).execute({ instruction: 'Send it', excludeTools: ['act', 'screenshot'] });
    expect(namesIn(model.requests[0] as ModelRequest)).not.toEqual(expect.arrayContaining(['act']));
    expect(namesIn(model.requests[0] as ModelRequest)).not.toEqual(expect.arrayContaining(['screenshot']));
  });
});

describe('arguments of grouped tools', () => {
  it.each([
    ['an excluded action', 'act', { action: 'back' }, /^act has no action "back"\. Use one of: click, doubleClick, /],
    ['an unknown action', 'act', { action: 'smash' }, /^act has no action "smash"\. Use one of: click/],
    ['no action', 'act', {}, /^act has no action undefined\. Use one of: click/],
    ['a missing argument', 'act', { action: 'fill', ref: 'e1' }, /^Invalid input for fill: .*text/],
    ['the argument of an excluded action', 'read', { ref: 'e1' }, /^Invalid input for read: expand is excluded here/],
    [
      'an argument of another action',
      'act',
      { action: 'click', ref: 'e1', text: 'Ada' },
      /^Invalid input for click: .*text/,
    ],
  ])('reports the reason for the failure of a call with %s', async (_what, tool, input, message) => {
    const asked = { text: '', calls: [{ tool, input }] };
    const gaveUp = step({ tool: 'done', input: { success: false, message: 'It cannot be done.' } });
    model = new ScriptedModel([asked, gaveUp], { allowUnknownRefs: true });
    const agent = browser.driver.agent({ model });
    const { actions } = await agent.execute({
      instruction: 'Go back',
      page: browser.page,
      excludeTools: ['back', 'expand'],
    });
    expect(actions[0]).toMatchObject({ success: false, result: expect.stringMatching(message) });
  });

  it('accepts empty fields of other actions', async () => {
    model = new ScriptedModel([
      (request) => ({
        text: '',
        calls: [
          {
            tool: 'act',
            input: {
              action: 'check',
              ref: refOf(request, { role: 'checkbox' }),
              text: '',
              options: [],
              submit: false,
              to: null,
            },
          },
        ],
      }),
      done(),
    ]);
    const { actions } = await browser.driver.agent({ model }).execute({ instruction: 'Tick it', page: browser.page });
    expect(actions[0]).toMatchObject({ tool: 'check', success: true, effect: 'changed' });
  });
});

it('reports a grouped call as `click` in actions and callbacks, and as `act` in messages', async () => {
  const parts: unknown[] = [];
  const asked: string[] = [];
  model = new ScriptedModel((request) => {
    const call =
      model.requests.length === 1
        ? { tool: 'act', input: { action: 'click', ref: refOf(request, { name: 'Send' }) } }
        : { tool: 'done', input: { success: true, message: 'It is done.' } };
    request.onPart?.({ kind: 'call', call: { id: 'streamed', ...call } });
    return { text: '', calls: [call] };
  });
  const { actions, messages } = await browser.driver.agent({ model }).execute({
    instruction: 'Send it',
    page: browser.page,
    callbacks: {
      onBeforeAction: ({ tool, element }) => void asked.push(`${tool} ${element}`),
      onChunk: (part) => void (part.type === 'tool-call' && parts.push(part.tool)),
    },
  });
  expect(actions.map(({ tool }) => tool)).toEqual(['click', 'done']);
  expect(asked).toEqual(['click button "Send"']);
  expect(parts).toEqual(['click', 'done']);
  expect(messages.flatMap(({ calls = [] }) => calls.map(({ tool }) => tool))).toEqual(['act', 'done']);
});

it('accepts a call by single tool name, such as `click`', async () => {
  model = new ScriptedModel([
    (request) => ({ text: '', calls: [{ tool: 'click', input: { ref: refOf(request, { name: 'Send' }) } }] }),
    done(),
  ]);
  const { success, actions } = await browser.driver
    .agent({ model })
    .execute({ instruction: 'Send', page: browser.page });
  expect(success).toBe(true);
  expect(actions[0]).toMatchObject({ tool: 'click', success: true });
});

it('rejects a custom tool with the name of a tool group', async () => {
  const act = { description: 'Acts', inputSchema: { type: 'object' }, execute: () => 1 };
  model = new ScriptedModel([done()]);
  const run = browser.driver.agent({ model, tools: { act } }).execute({ instruction: 'Act', page: browser.page });
  await expect(run).rejects.toThrow('Two tools are named "act": one from the library and one from the option `tools`.');
});
