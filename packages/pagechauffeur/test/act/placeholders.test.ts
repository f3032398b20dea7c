import { beforeEach, describe, expect, it } from 'vitest';
import { DriverInvalidArgumentError } from '../../src/errors.ts';
import type { ModelRequest } from '../../src/model/model-client.ts';
import { refOf, ScriptedModel } from '../../src/testing.ts';
import type { Variables } from '../../src/policy/variables.ts';
import { done, step } from '../agent/steps-for-test.ts';
import { failureOf } from '../support/failure-of.ts';
import { useBrowser } from '../support/use-browser.ts';

/** What the model types. */
let text = '';
const model = new ScriptedModel((request) => {
  const action = { ref: refOf(request, { name: 'Name' }), method: 'fill', arguments: [text], description: 'the name' };
  return request.verb === 'observe' ? { elements: [action] } : { action, twoStep: false, reason: '', candidates: [] };
});
const browser = useBrowser({ llmClient: model });
const FIELD = '<label>Name <input id="name"></label>';

beforeEach(async () => {
  model.requests.splice(0);
  await browser.page.goto(browser.server.page('/', `<!doctype html><title>Form</title>${FIELD}`));
});

function typed(): Promise<string> {
  return browser.page.locator('#name').inputValue();
}

function task({ messages }: ModelRequest): string {
  return messages.at(-1)?.text ?? '';
}

describe('placeholders in an instruction', () => {
  // [spec: act-calls.placeholders]
  it.each<[instruction: string, read: string, answer: string, variables: Variables, value: string]>([
    ['type 100% into Name', 'type 100% into Name', '100%', {}, '100%'],
    ['type %E4%F6 into Name', 'type %E4%F6 into Name', '%E4%F6', {}, '%E4%F6'],
    ['type 100%% into Name', 'type 100% into Name', '100%', {}, '100%'],
    ['type %%city%% into Name', 'type %city% into Name', '%city%', {}, '%city%'],
    ['type %%city%% into Name', 'type %city% into Name', '%city%', { city: 'Rome' }, '%city%'],
    ['type 5%-10% into Name', 'type 5%-10% into Name', '5%-10%', {}, '5%-10%'],
    ['type 100%%%city% into Name', 'type 100%%city% into Name', '100%%city%', { city: 'Rome' }, '100%Rome'],
    ['type %city% into Name', 'type %city% into Name', '%city%', { city: '%land%', land: 'Italy' }, '%land%'],
    ['type %城市.1% into Name', 'type %城市.1% into Name', '%城市.1%', { '城市.1': 'Rome' }, 'Rome'],
    ['type %2fa% into Name', 'type %2fa% into Name', '%2fa%', { '2fa': 123_456 }, '123456'],
    ['type %AB% into Name', 'type %AB% into Name', '%AB%', { AB: 'group' }, 'group'],
  ])('sends %j to the model as %j', async (instruction, read, answer, variables, value) => {
    text = answer;
    const result = await browser.driver.act(instruction, { variables });
    expect(await typed()).toBe(value);
    expect(task(model.requests[0] as ModelRequest).split('\n')[0]).toBe(`Instruction: ${read}`);
    expect(model.requests[0]).toMatchObject({ instruction: read, intent: { kind: 'instruction', text: read } });
    expect(result).toMatchObject({ success: true, actionDescription: instruction, actions: [{ arguments: [answer] }] });
  });

  it.each<[instruction: string, variables: Variables, ...told: string[]]>([
    ['type %passwrd% into Name', { user: 'a', password: 'b' }, '%passwrd%', 'Did you mean %password%?', '%user%'],
    ['type %nme% into Name', { name: 'a' }, '%nme%', 'Did you mean %name%?'],
    ['type %NAME% into Name', { name: 'a' }, '%NAME%', 'Did you mean %name%?'],
    ['type %имя% into Name', {}, '%имя%', 'No variables are defined.'],
    ['type %d%s into Name', {}, '%d%', 'write %% for a percent sign'],
  ])('rejects %j before any model call or input', async (instruction, variables, ...told) => {
    const failures = [
      await failureOf(browser.driver.act(instruction, { variables })),
      await failureOf(browser.driver.observe(instruction, { variables })),
      await failureOf(browser.driver.agent({ model }).execute({ instruction, variables })),
    ];
    for (const failure of failures) {
      expect(failure).toBeInstanceOf(DriverInvalidArgumentError);
      for (const words of told) expect(String(failure)).toContain(words);
    }
    expect(model.requests).toEqual([]);
    expect(await typed()).toBe('');
  });

  it('rejects an instruction with the same name as placeholder and as literal text', async () => {
    const failure = await failureOf(browser.driver.act('type %a% and %%a%%', { variables: { a: 'x' } }));
    expect(String(failure)).toContain('The instruction contains %a% both as a placeholder and as literal text');
  });
});

it.each<[variables: unknown, told: string]>([
  [{ 'a b': 'x' }, 'Received "a b"'],
  [{ '': 'x' }, 'Received ""'],
  [{ 'a%': 'x' }, 'Received "a%"'],
  ['secret', 'variables must be an object'],
  [[1], 'variables must be an object'],
  [null, 'variables must be an object'],
  [{ a: null }, 'variables.a must be a string'],
])('rejects invalid variables: %j', async (variables, told) => {
  const options = { variables: variables as Variables };
  for (const call of [browser.driver.act('click it', options), browser.driver.observe('it', options)])
    await expect(call).rejects.toThrow(told);
});

describe('placeholders in action arguments', () => {
  const fill = (argument: string, variables: Variables) =>
    browser.driver.act(
      { selector: '#name', description: 'the name', method: 'fill', arguments: [argument] },
      { variables },
    );

  it.each<[argument: string, variables: Variables, value: string]>([
    ['100%', {}, '100%'],
    ['100%%', {}, '100%%'],
    ['%%city%%', { city: 'Rome' }, '%Rome%'],
    ['%E4%F6', {}, '%E4%F6'],
    ['%C3%A4pfel%20', {}, '%C3%A4pfel%20'],
    ['%city%', { city: '%city%' }, '%city%'],
    ['%city%%city%', { city: 'Rome' }, 'RomeRome'],
  ])('resolves %j with the variables %j to %j', async (argument, variables, value) => {
    const result = await fill(argument, variables);
    expect(await typed()).toBe(value);
    expect(result.actions).toMatchObject([{ arguments: [argument] }]);
  });

  it('rejects an unknown variable name and suggests the nearest one', async () => {
    const failure = await failureOf(fill('%citty%', { city: 'Rome' }));
    expect(failure).toBeInstanceOf(DriverInvalidArgumentError);
    expect(String(failure)).toContain('Did you mean %city%?');
    expect(String(failure)).not.toContain('%% for');
    expect(await typed()).toBe('');
  });
});

it('observe() returns placeholders unresolved and reads %% as a percent sign', async () => {
  text = '%city.name%';
  const [found] = await browser.driver.observe('the field to type %city.name% at 100%% into', {
    variables: { 'city.name': 'Rome' },
  });
  expect(task(model.requests[0] as ModelRequest)).toContain('Instruction: the field to type %city.name% at 100% into');
  expect(found?.arguments).toEqual(['%city.name%']);
  if (found) await browser.driver.act(found, { variables: { 'city.name': 'Paris' } });
  expect(await typed()).toBe('Paris');
});

describe('placeholders in an agent task', () => {
  async function run(instruction: string, fills: string, variables: Variables) {
    const scripted = new ScriptedModel([
      step({ tool: 'fill', input: { text: fills }, on: { name: 'Name' } }),
      done(),
      done(),
    ]);
    const result = await browser.driver.agent({ model: scripted }).execute({ instruction, variables });
    const [said] = scripted.requests[0]?.messages.filter(({ text: words }) => words.includes('into Name')) ?? [];
    return { result, said: said?.text ?? '' };
  }

  it('reads the task like an instruction and exports its variables to the script', async () => {
    const { result, said } = await run('Type 100%% of %straße.1% into Name', '100% of %straße.1%', {
      'straße.1': 'A%b%',
    });
    expect(said).toContain('Type 100% of %straße.1% into Name');
    expect(await typed()).toBe('100% of A%b%');
    const script = result.toScript();
    expect(script).toContain("`100% of ${variables['straße.1']}`");
    expect(script).toContain("needed('TASK_STRASSE_1')");
  });

  it('types an escaped placeholder as text and exports it as text', async () => {
    const { result } = await run('Type %%foo%% into Name', '%foo%', { foo: 'x' });
    expect(await typed()).toBe('%foo%');
    expect(result.success).toBe(true);
    expect(result.toScript()).toContain("'%foo%'");
  });

  it('suggests the nearest variable name to the model', async () => {
    const { result } = await run('Type %city% into Name', '%citty%', { city: 'Rome' });
    expect(result.actions[0]).toMatchObject({
      success: false,
      result: 'There is no variable %citty%. Did you mean %city%? Known variables: %city%.',
    });
    expect(await typed()).toBe('');
  });
});
