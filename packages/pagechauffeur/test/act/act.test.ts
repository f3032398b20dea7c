import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import {
  DriverClickError,
  DriverElementNotFoundError,
  DriverInvalidArgumentError,
  LLMResponseError,
} from '../../src/errors.ts';
import type { ModelRequest } from '../../src/model/model-client.ts';
import { refOf, ScriptedModel } from '../../src/testing.ts';
import { startDriver, type TestDriver } from '../support/driver-for-test.ts';
import type { Action } from '../../src/replay/action.ts';
import { failureOf } from '../support/failure-of.ts';
import { serve, type TestServer } from '../support/serve.ts';

interface Choice {
  readonly role: string;
  readonly name?: string;
  readonly method?: string;
  readonly arguments?: readonly string[];
  readonly twoStep?: boolean;
}

/** An answer that chooses an element among those the question shows. */
function choose({ role, name, method = 'click', arguments: args = [], twoStep = false }: Choice) {
  return (request: ModelRequest) => ({
    action: {
      ref: refOf(request, { role, ...(name === undefined ? {} : { name }) }),
      method,
      arguments: args,
      description: `${role} ${name ?? ''}`,
    },
    twoStep,
    reason: '',
    candidates: [],
  });
}

let server: TestServer;
let test1: TestDriver;
let script: (request: ModelRequest) => unknown;
let model: ScriptedModel;

beforeAll(async () => {
  server = await serve();
  model = new ScriptedModel((request) => script(request));
  test1 = await startDriver({ llmClient: model });
});

afterAll(async () => {
  await test1?.driver.close();
  await server?.close();
});

beforeEach(() => {
  script = () => new LLMResponseError('this test asks no model');
});

async function open(html: string): Promise<void> {
  await test1.page.goto(server.page('/', `<!doctype html><title>Test</title>${html}`), { waitUntil: 'load' });
}

// [spec: act-calls.instruction, act-result.success, act-result.actionDescription]
test('reports `navigated` when a click opens another document', async () => {
  server.page('/next', '<title>Next</title><h1>Next</h1>');
  await open('<a href="/next">Next page</a>');
  script = choose({ role: 'link', name: 'Next page' });
  const result = await test1.driver.act('go to the next page');
  expect(result).toMatchObject({ success: true, effect: 'navigated', actionDescription: 'go to the next page' });
  expect(test1.page.url()).toBe(`${server.origin}/next`);
});

// [spec: act-calls.action]
test('waits for a slow navigation', async () => {
  server.page('/slow', (_request, response) => {
    setTimeout(
      () => response.setHeader('content-type', 'text/html').end('<title>Slow</title><h1>Here at last</h1>'),
      400,
    );
  });
  await open('<a href="/slow">Slow page</a>');
  await test1.driver.act({ selector: 'text=Slow page', description: 'the slow page', method: 'click', arguments: [] });
  expect(await test1.page.title()).toBe('Slow');
});

test('waits until the page shows the data that a click fetched', async () => {
  server.page('/data', (_request, response) => {
    setTimeout(() => response.end('Answer from the server'), 300);
  });
  await open(
    "<button onclick=\"fetch('/data').then((r) => r.text()).then((t) => { document.querySelector('p').textContent = t })\">Load</button><p></p>",
  );
  const result = await test1.driver.act({ selector: 'button', description: 'Load', method: 'click', arguments: [] });
  expect(result.effect).toBe('changed');
  expect(await test1.page.locator('p').textContent()).toBe('Answer from the server');
});

test('reports `none-observed` when the click changes nothing', async () => {
  await open('<button>Nothing</button>');
  const result = await test1.driver.act({ selector: 'button', description: 'Nothing', method: 'click', arguments: [] });
  expect(result).toMatchObject({ success: true, effect: 'none-observed' });
  expect(result.message).toBe('Done: click on button "Nothing"; it has the focus. No other change was observed.');
});

test('reports `opened` for a dialog, a menu and a new page', async () => {
  await open(`<button id="alert" onclick="alert('Saved')">Alert</button>
    <button id="menu" aria-expanded="false" aria-haspopup="menu" onclick="this.ariaExpanded = 'true'; m.hidden = false">Menu</button>
    <div id="m" role="menu" hidden><div role="menuitem" tabindex="-1">Copy</div></div>
    <a id="tab" target="_blank" href="/">Tab</a>`);
  const click = (selector: string) =>
    test1.driver.act({ selector, description: selector, method: 'click', arguments: [] });
  const alerted = await click('#alert');
  expect(alerted.effect).toBe('opened');
  expect(alerted.message).toContain('a dialog (alert) said "Saved"');
  expect((await click('#menu')).effect).toBe('opened');
  expect((await click('#tab')).effect).toBe('opened');
  expect(test1.driver.context.pages()).toHaveLength(2);
  await test1.driver.context.activePage()?.close();
  expect(test1.driver.context.activePage()).toBe(test1.page);
});

// [spec: act-result.success, act-result.message, errors.act-failure]
test('returns `success: false` with the reason and the nearest matches when no element matches', async () => {
  await open('<button>Save draft</button>');
  script = (request) => ({
    action: null,
    twoStep: false,
    reason: 'there is no button for publishing.',
    candidates: [refOf(request, { role: 'button' })],
  });
  const result = await test1.driver.act('publish it');
  expect(result.success).toBe(false);
  expect(result.actions).toBeUndefined();
  expect(result.message).toBe(
    'Found no step for "publish it": there is no button for publishing. Nearest matches: button "Save draft".',
  );
});

// [spec: act-calls.instruction-options, act-calls.placeholders, act-calls.variables-kept, act-options.variables]
// [spec: authentication.variables-kept]
test('variable values reach only the page', async () => {
  const secret = 'S3cret-värde-%other%';
  await open('<label>Password <input type="password"></label><label>Code <input id="code"></label>');
  script = choose({ role: 'textbox', name: 'Code', method: 'fill', arguments: ['%code%'] });
  const result = await test1.driver.act('fill in the code with %code%', {
    variables: { code: { value: secret, description: 'from the letter' }, other: 'x' },
  });
  expect(await test1.page.locator('#code').inputValue()).toBe(secret);
  expect(result.actions?.[0]?.arguments).toEqual(['%code%']);
  const seen = JSON.stringify([
    result,
    test1.lines,
    await test1.driver.history,
    model.requests.at(-1)?.messages,
    model.requests.at(-1)?.variables,
  ]);
  expect(seen).not.toContain('S3cret');
  expect(seen).toContain('from the letter');
});

test('names the placeholder, not its value, when a control rejects the value', async () => {
  await open('<input type="number" aria-label="Amount">');
  const failure = test1.driver.act(
    { selector: 'input', description: '', method: 'fill', arguments: ['%amount%'] },
    { variables: { amount: 'tr0ub4dor' } },
  );
  await expect(failure).rejects.toThrow(/does not accept "%amount%"/);
  expect(JSON.stringify([await failure.catch(String), await test1.driver.history, test1.lines])).not.toContain(
    'tr0ub4dor',
  );
});

// [spec: act-calls.placeholders]
test('rejects a placeholder without a variable before acting', async () => {
  await open('<input aria-label="Name">');
  const asked = model.requests.length;
  await expect(test1.driver.act('type %name% into the field', { variables: { nome: 'x' } })).rejects.toThrow(
    new DriverInvalidArgumentError(
      'The instruction contains the placeholder %name%, but there is no such variable. Did you mean %nome%? Known variables: %nome%. Add it to `variables`, or write %% for a percent sign.',
      { argument: 'variables' },
    ),
  );
  expect(model.requests.length).toBe(asked);
});

test('rejects an object that is not an action and shows how to pass an instruction', async () => {
  const sentence: object = { instruction: 'press Save' };
  await expect(test1.driver.act(sentence as Action)).rejects.toThrow("act('press Save', options)");
});

// [spec: act-result.actions]
test('opens a custom dropdown and selects an option in one act with two model calls', async () => {
  await open(`<button id="size" aria-haspopup="listbox" aria-expanded="false">Choose a size</button><script>
    size.onclick = () => { size.ariaExpanded = 'true'; setTimeout(() => {
      const list = document.createElement('ul'); list.role = 'listbox';
      for (const name of ['Small', 'Large']) { const item = document.createElement('li'); item.role = 'option'; item.textContent = name;
        item.onclick = () => { size.textContent = name; list.remove(); size.ariaExpanded = 'false'; }; list.append(item); }
      size.after(list); }, 30); };</script>`);
  const asked = model.requests.length;
  const answers = [
    choose({ role: 'button', name: 'Choose a size', twoStep: true }),
    choose({ role: 'option', name: 'Large' }),
  ];
  script = (request) => answers.shift()?.(request);
  const result = await test1.driver.act('choose the size Large');
  expect(result.actions).toHaveLength(2);
  expect(model.requests.length - asked).toBe(2);
  expect(await test1.page.locator('#size').textContent()).toBe('Large');
});

// [spec: errors.DriverClickError, errors.DriverElementNotFoundError]
test('names the covering element or the unmatched selector in the error, without clicking', async () => {
  await open(`<button id="buy" onclick="window.bought = true">Buy</button>
    <div id="consent" style="position: fixed; inset: 0; background: white" onclick="window.hit = true">Cookies?</div>`);
  // Both wait as long as an act waits for its element.
  const [covered, absent] = await Promise.all(
    ['#buy', '#gone'].map((selector) =>
      failureOf(test1.driver.act({ selector, description: '', method: 'click', arguments: [] })),
    ),
  );
  expect(covered).toBeInstanceOf(DriverClickError);
  expect(covered).toMatchObject({ cover: '<div#consent>', selector: '#buy' });
  expect(await test1.page.evaluate('String([window.bought, window.hit])')).toBe(',');
  expect(absent).toBeInstanceOf(DriverElementNotFoundError);
  expect(absent).toMatchObject({ selectors: ['#gone'] });
});

// [spec: driver-options.selfHeal, action.description]
test('heals an action by its description when its selector no longer matches', async () => {
  await open('<button class="new" onclick="this.textContent = \'Paid\'">Pay now</button>');
  script = choose({ role: 'button', name: 'Pay now' });
  const result = await test1.driver.act({
    selector: '#old-id',
    description: 'the Pay now button',
    method: 'click',
    arguments: [],
  });
  expect(result).toMatchObject({ success: true, actions: [{ selector: 'xpath=/html[1]/body[1]/button[1]' }] });
  expect(test1.lines.some(({ message }) => message.startsWith('Healed:'))).toBe(true);
});

const inVain = 'The model was asked for another step and';
test.each<[title: string, answer: (request: ModelRequest) => unknown, told: string]>([
  [
    'found no step',
    () => ({ action: null, twoStep: false, reason: 'no box is there.', candidates: [] }),
    `${inVain} found none: no box is there.`,
  ],
  ['chose the same step', choose({ role: 'button', method: 'check' }), `${inVain} chose the same step again.`],
  [
    'chose a link that cannot be checked either',
    choose({ role: 'link', method: 'check' }),
    `${inVain} chose link "Terms of use", which failed too: `,
  ],
  ['returned an invalid response', () => ({ action: 'yes' }), `${inVain} returned no usable response: `],
])('reports in the first line of the error that the healing model %s', async (_title, answer, told) => {
  await open('<button>Terms</button><a href="#terms">Terms of use</a>');
  const answers = [choose({ role: 'button', method: 'check' })];
  script = (request) => (answers.shift() ?? answer)(request);
  const failure = (await failureOf(test1.driver.act('check the terms'))) as DriverClickError;
  expect(failure).toBeInstanceOf(DriverClickError);
  expect(failure.message.split('\n', 1)[0]).toMatch(/not a checkbox.* The model was asked/);
  expect(failure.message.split('\n', 1)[0]).toContain(told);
  expect(failure.stack).toContain(told);
});

test('omits "model was asked" from the error when the model provider is unknown', async () => {
  await open('<button>Terms</button>');
  const action = { selector: 'button', description: 'the terms', method: 'check', arguments: [] };
  const failure = await failureOf(test1.driver.act(action, { model: 'no-such-provider/model' }));
  expect(failure).toBeInstanceOf(DriverClickError);
  expect(String(failure)).not.toContain('model was asked');
});

// [spec: errors.LLMResponseError, act-options.model]
test('throws an LLMResponseError without acting after two invalid model responses', async () => {
  await open('<button onclick="window.clicked = true">Save</button>');
  const nonsense = new ScriptedModel(
    () => ({
      action: { ref: 'e999', method: 'click', arguments: [], description: 'x' },
      twoStep: false,
      reason: '',
      candidates: [],
    }),
    { allowUnknownRefs: true },
  );
  await expect(test1.driver.act('save', { model: nonsense })).rejects.toThrow(LLMResponseError);
  expect(nonsense.requests).toHaveLength(2);
  expect(nonsense.requests[1]?.messages.at(-1)?.text).toContain('"e999" is not on the page');
  expect(await test1.page.evaluate('window.clicked')).toBeUndefined();
});

test('orders the prompt as rules, page, instruction, with the stable parts first', async () => {
  await open('<button>Save</button>');
  script = choose({ role: 'button', name: 'Save' });
  await test1.driver.act('save the draft');
  const messages = model.requests.at(-1)?.messages ?? [];
  expect(messages.map(({ role, isStable = false }) => [role, isStable])).toEqual([
    ['system', true],
    ['user', true],
    ['user', false],
  ]);
  expect(messages[0]?.text).not.toContain('save the draft');
  expect(messages[1]?.text).toContain('button "Save"');
  expect(messages[2]?.text).toBe('Instruction: save the draft');
});

test('sends no click after the act is aborted', async () => {
  await open(
    '<button hidden onclick="window.clicked = true">Late</button><script>setTimeout(() => { document.querySelector("button").hidden = false; window.shown = true }, 500)</script>',
  );
  const controller = new AbortController();
  const pending = test1.driver.act(
    { selector: 'button', description: '', method: 'click', arguments: [] },
    { signal: controller.signal },
  );
  controller.abort(new Error('enough'));
  await expect(pending).rejects.toMatchObject({ code: 'ABORTED' });
  await test1.page.waitForSelector('button');
  expect(
    await test1.page.evaluate(
      'new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(window.clicked === true))))',
    ),
  ).toBe(false);
});

// [spec: act-options.timeout, limits.timeout-act]
test('throws an ActTimeoutError with the limit when an act exceeds its timeout', async () => {
  await open('<button>Save</button>');
  script = (request) =>
    new Promise((_resolve, reject) => {
      request.signal.addEventListener('abort', () => reject(request.signal.reason));
    });
  await expect(test1.driver.act('save', { timeout: 300 })).rejects.toMatchObject({
    name: 'ActTimeoutError',
    operation: 'act',
    timeout: 300,
    code: 'TIMEOUT',
  });
});

test('scrollTo scrolls the element into view without an argument, and the page to the top with "0"', async () => {
  await open('<div style="height: 3000px">Top</div><button>Far below</button>');
  const scrollY = async () => Number(await test1.page.evaluate('scrollY'));
  await test1.driver.act({ selector: 'button', description: '', method: 'scrollTo', arguments: [] });
  expect(await scrollY()).toBeGreaterThan(2000);
  await test1.driver.act({ selector: 'button', description: '', method: 'scrollTo', arguments: ['0'] });
  expect(await scrollY()).toBe(0);
});

test('describes `<body>` by its tag, not by the text of the page', async () => {
  await open('<p>Fresh from the kiln</p><div style="height: 3000px"></div>');
  const action = { selector: 'body', description: '', method: 'scrollTo', arguments: ['50%'] };
  expect((await test1.driver.act(action)).message).toBe(
    'Done: scrollTo on <body>; scrolled to 50 %. The page changed.',
  );
});
