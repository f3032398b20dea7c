import { afterAll, beforeAll, expect, test } from 'vitest';
import { refOf, ScriptedModel } from '../../src/testing.ts';
import type { ModelRequest } from '../../src/model/model-client.ts';
import { startDriver, type TestDriver } from '../support/driver-for-test.ts';
import { serve, type TestServer } from '../support/serve.ts';

const PAGE = `<!doctype html><title>Sign in</title>
  <main><h1>Sign in</h1><label>E-mail <input type="email"></label><label>Password <input type="password" value="hunter2"></label>
  <label><input type="checkbox" checked> Stay signed in</label><button>Sign in</button></main>
  <aside><a href="/help">Help</a></aside>`;

let server: TestServer;
let started: TestDriver;
let script: (request: ModelRequest) => unknown;
let model: ScriptedModel;

beforeAll(async () => {
  server = await serve({ '/': PAGE, '/frames': '<title>Outer</title><button>Outer</button><iframe src="/"></iframe>' });
  model = new ScriptedModel((request) => script(request), { allowUnknownRefs: true });
  started = await startDriver({ llmClient: model });
});

afterAll(async () => {
  await started?.driver.close();
  await server?.close();
});

// [spec: observe-calls.instruction-options, observe-calls.order, observe-calls.placeholders, observe-options.variables]
// [spec: act-calls.observed-action, act-calls.action-options, action.selector, action.description, action.method]
// [spec: action.arguments]
test('returns the elements found by the model as replayable actions, in the same order', async () => {
  await started.page.goto(server.origin);
  script = (request) => ({
    elements: [
      {
        ref: refOf(request, { role: 'button', name: 'Sign in' }),
        method: 'click',
        arguments: [],
        description: 'the sign-in button',
      },
      {
        ref: refOf(request, { role: 'textbox', name: 'E-mail' }),
        method: 'fill',
        arguments: ['%email%'],
        description: 'the e-mail field',
      },
    ],
  });
  const actions = await started.driver.observe('what signs me in with %email%?', {
    variables: { email: 'ada@example.com' },
  });
  expect(actions).toEqual([
    {
      selector: 'xpath=/html[1]/body[1]/main[1]/button[1]',
      description: 'the sign-in button',
      method: 'click',
      arguments: [],
    },
    {
      selector: 'xpath=/html[1]/body[1]/main[1]/label[1]/input[1]',
      description: 'the e-mail field',
      method: 'fill',
      arguments: ['%email%'],
    },
  ]);
  const [, fill] = actions;
  if (fill) await started.driver.act(fill, { variables: { email: 'ada@example.com' } });
  expect(await started.page.locator('input[type=email]').inputValue()).toBe('ada@example.com');
});

test('drops a ref that is not in the snapshot', async () => {
  await started.page.goto(server.origin);
  script = (request) => ({
    elements: [
      { ref: 'e9999', method: 'click', arguments: [], description: 'invented' },
      { ref: refOf(request, { role: 'link' }), method: 'click', arguments: [], description: 'help' },
    ],
  });
  expect((await started.driver.observe('help')).map(({ description }) => description)).toEqual(['help']);
});

test('asks the model again if no returned ref is in the snapshot', async () => {
  await started.page.goto(server.origin);
  const asked = model.requests.length;
  const invented = { ref: 'e9999', method: 'click', arguments: [], description: 'invented' };
  script = (request) =>
    model.requests.length === asked + 1
      ? { elements: [invented] }
      : { elements: [{ ...invented, ref: refOf(request, { role: 'link' }), description: 'help' }] };
  expect((await started.driver.observe('help')).map(({ description }) => description)).toEqual(['help']);
  expect(model.requests).toHaveLength(asked + 2);
  expect(model.requests.at(-1)?.messages.at(-1)?.text).toContain('"e9999" is not on the page');
});

// [spec: observe-calls.instruction, observe-calls.empty]
test('returns an empty array if the model finds nothing', async () => {
  await started.page.goto(server.origin);
  script = () => ({ elements: [] });
  expect(await started.driver.observe('the refund button')).toEqual([]);
});

// [spec: observe-calls.no-instruction, observe-options.none]
test('lists every interactive element without a model if there is no instruction', async () => {
  await started.page.goto(server.origin);
  const asked = model.requests.length;
  const actions = await started.driver.observe();
  expect(actions.map(({ method, description }) => `${method} ${description}`)).toEqual([
    'fill textbox "E-mail"',
    'fill textbox "Password"',
    'uncheck checkbox "Stay signed in"',
    'click button "Sign in"',
    'click link "Help"',
  ]);
  expect(model.requests.length).toBe(asked);
});

// [spec: observe-calls.no-instruction]
test('describes frames, and describes unnamed controls so that act() finds them again', async () => {
  const item = (name: string): string =>
    `<li onclick="done(event, 'open ${name}')">${name} <i class="remove" onclick="done(event, 'remove ${name}')">✖</i></li>`;
  const handlers = 'function done(event, what) { event.stopPropagation(); document.title = what }';
  const trash = `<span class="trash" onclick="done(event, 'trash')" style="display: block; width: 20px; height: 20px"></span>`;
  const html = `<script>${handlers}</script><ul>${item('Milk')}${item('Bread')}</ul>${trash}<iframe title="Map" srcdoc="Streets"></iframe>`;
  await started.page.goto(server.page('/nameless', html), { waitUntil: 'load' });
  const actions = await started.driver.observe();
  expect(actions.map(({ description }) => description)).toEqual([
    'item "Milk"',
    'element "remove" in "Milk"',
    'item "Bread"',
    'element "remove" in "Bread"',
    'element "trash"',
    'frame "Map"',
  ]);
  const offline = { model: 'offline/lexical' };
  await started.driver.act(actions[3]?.description ?? '', offline);
  expect(await started.page.title()).toBe('remove Bread');
  await started.driver.act(actions[4]?.description ?? '', offline);
  expect(await started.page.title()).toBe('trash');
});

// [spec: observe-calls.no-instruction]
test('distinguishes equal controls by the heading before them', async () => {
  const card = (name: string): string => `<h2>${name}</h2><button>Add</button>`;
  await started.page.goto(server.page('/cards', card('Blue mug') + card('Red mug')), { waitUntil: 'load' });
  expect((await started.driver.observe()).map(({ description }) => description)).toEqual([
    'button "Add" under "Blue mug"',
    'button "Add" under "Red mug"',
  ]);
});

// [spec: observe-calls.no-instruction]
test('numbers equal controls', async () => {
  await started.page.goto(server.page('/more', '<button>More</button>'.repeat(3)), { waitUntil: 'load' });
  expect((await started.driver.observe()).map(({ description }) => description)).toEqual([
    '1st button "More"',
    '2nd button "More"',
    '3rd button "More"',
  ]);
});

test('numbers icons among others', async () => {
  const star = '<svg class="star" width="20" height="20" onclick="1"><path d="M0 0h9v9h-9z"/></svg>';
  await started.page.goto(server.page('/stars', star.repeat(2)), { waitUntil: 'load' });
  expect((await started.driver.observe()).map(({ description }) => description)).toEqual([
    'icon "star 1 of 2"',
    'icon "star 2 of 2"',
  ]);
});

// [spec: observe-options.selector, observe-options.ignoreSelectors]
test('limits what the model sees with selector and ignoreSelectors', async () => {
  await started.page.goto(server.origin);
  script = () => ({ elements: [] });
  await started.driver.observe('anything', { selector: 'xpath=/html/body/main', ignoreSelectors: ['label'] });
  const text = model.requests.at(-1)?.page.text ?? '';
  expect(text).toContain('button "Sign in"');
  expect(text).not.toMatch(/Help|E-mail/);
});

// [spec: service.frames-and-shadow]
test('returns an XPath that goes through the frame of the element', async () => {
  await started.page.goto(`${server.otherOrigin}/frames`, { waitUntil: 'load' });
  script = (request) => ({
    elements: [
      { ref: refOf(request, { role: 'link', name: 'Help' }), method: 'click', arguments: [], description: 'help' },
    ],
  });
  const [help] = await started.driver.observe('help');
  expect(help?.selector).toBe('xpath=/html[1]/body[1]/iframe[1]/html[1]/body[1]/aside[1]/a[1]');
});

test('rejects an `instruction` in the options', async () => {
  const options: object = { instruction: 'the sign-in button' };
  const failure = started.driver.observe(options);
  await expect(failure).rejects.toMatchObject({ code: 'INVALID_ARGUMENT', argument: 'instruction' });
  await expect(failure).rejects.toThrow("observe('the Save button', options)");
});

test('hides the value of a password field', async () => {
  await started.page.goto(server.origin);
  script = () => ({ elements: [] });
  await started.driver.observe('anything');
  expect(JSON.stringify(model.requests.at(-1)?.messages)).not.toContain('hunter2');
});

test('omits URLs from the prompts of act() and observe()', async () => {
  await started.page.goto(server.origin);
  const shown: string[] = [];
  script = (request) => {
    shown.push(request.messages.map(({ text }) => text).join('\n'));
    const help = { ref: refOf(request, { name: 'Help' }), method: 'click', arguments: [], description: 'help' };
    return request.verb === 'observe'
      ? { elements: [help] }
      : { action: help, twoStep: false, reason: '', candidates: [] };
  };
  await started.driver.observe('the help link');
  await started.driver.act('click Help');
  expect(shown.map((text) => /link "Help".*/.exec(text)?.[0])).toEqual(['link "Help"', 'link "Help"']);
});
