import { afterEach, expect, it, vi } from 'vitest';
import { DriverClickError, LLMResponseError } from '../../src/errors.ts';
import type { ModelRequest } from '../../src/model/model-client.ts';
import { ModelService } from '../../src/model/model-service.ts';
import { refOf, ScriptedModel } from '../../src/testing.ts';
import { failureOf } from '../support/failure-of.ts';
import { useBrowser } from '../support/use-browser.ts';

let script: ((request: ModelRequest) => unknown)[] = [];
const model = new ScriptedModel((request) => script.shift()?.(request), { allowUnknownRefs: true });
const browser = useBrowser({ llmClient: model });

afterEach(() => {
  vi.restoreAllMocks();
  model.requests.splice(0);
});

const MENU = `<p>${'About colours. '.repeat(40)}</p><p>Voucher SPRING-42</p>
  <button aria-expanded="false" aria-haspopup="menu" onclick="this.ariaExpanded = 'true'; list.hidden = false">Colour</button>
  <div id="list" role="menu" hidden><div role="menuitem" tabindex="0" onclick="document.title = 'Red it is'">Red</div>
  <div role="menuitem" tabindex="0">Green</div><input aria-label="Other"></div><button onclick="document.title = 'Red it is'">Red at once</button>`;

async function open(): Promise<void> {
  const html = `<!doctype html><title>Colours</title>${MENU}`;
  await browser.page.goto(browser.server.page('/', html), { waitUntil: 'load' });
}

/** A response that chooses the element of this name. */
function choose(name: string, { method = 'click', twoStep = false, arguments: args = [] as readonly string[] } = {}) {
  return (request: ModelRequest): object => ({
    action: { ref: refOf(request, { name }), method, arguments: args, description: name },
    twoStep,
    reason: '',
    candidates: [],
  });
}

/** `check` fails immediately on an element that has no checked state. */
const failing = { method: 'check' };

function tasks(): readonly (string | undefined)[] {
  return model.requests.map(({ messages }) => messages.at(-1)?.text);
}

it('continues in the menu that the replacement of a failed first step opens', async () => {
  await open();
  script = [choose('Colour', failing), choose('Colour', { twoStep: true }), choose('Red')];
  expect(await browser.driver.act('choose the colour Red')).toMatchObject({ success: true });
  expect(await browser.page.title()).toBe('Red it is');
});

it('ends with the replacement of a failed first step if it opens nothing', async () => {
  await open();
  script = [choose('Colour', { ...failing, twoStep: true }), choose('Red at once')];
  expect(await browser.driver.act('choose the colour Red')).toMatchObject({ success: true });
  expect(await browser.page.title()).toBe('Red it is');
  expect(model.requests).toHaveLength(2);
});

it('shows the model that heals the second step what the first step did', async () => {
  await open();
  script = [choose('Colour', { twoStep: true }), choose('Red', failing), choose('Red')];
  expect(await browser.driver.act('choose the colour Red')).toMatchObject({ success: true });
  expect(tasks()[2]).toContain('Already done: Colour. This was tried and failed: Red.');
});

it.each([
  ['an unusable response', [choose('Red', { method: 'press' }), choose('Red', { method: 'press' })], LLMResponseError],
  ['a failed step', [choose('Red', failing), choose('Red', failing)], DriverClickError],
])('names the first step in the error of the second step: %s', async (_what, answers, type) => {
  await open();
  script = [choose('Colour', { twoStep: true }), ...answers];
  const failure = await failureOf(browser.driver.act('choose the colour Red'));
  expect(failure).toBeInstanceOf(type);
  expect(String(failure)).toContain('This call had already run: click on button "Colour".');
});

it('names the first step in the error if it cannot read the page after that step', async () => {
  await open();
  const readsTree = ModelService.prototype.readsTree;
  vi.spyOn(ModelService.prototype, 'readsTree').mockImplementation(function (this: ModelService, ...args) {
    if (model.requests.length > 0) throw new LLMResponseError('no page');
    return readsTree.apply(this, args);
  });
  script = [choose('Colour', { twoStep: true })];
  const failure = await failureOf(browser.driver.act('choose the colour Red'));
  expect(String(failure)).toContain('This call had already run: click on button "Colour".');
});

const NONE = { action: null, twoStep: false, outcome: 'none', reason: 'there is none.', candidates: [] };

it('shows the model the whole page if it finds no second step in the changes', async () => {
  await open();
  script = [choose('Colour', { twoStep: true }), () => NONE, choose('Red at once')];
  expect(await browser.driver.act('choose the colour Red')).toMatchObject({ success: true });
  expect(model.requests.map(({ page }) => page.text.includes('Voucher SPRING-42'))).toEqual([true, false, true]);
  expect(tasks()[2]).toContain('Already done: Colour.');
});

it('names the method of a first step that opens nothing', async () => {
  await browser.page.goto(browser.server.page('/', '<!doctype html><title>Form</title><button>Colour</button>'));
  script = [choose('Colour', { method: 'hover', twoStep: true })];
  const result = await browser.driver.act('hover over Colour');
  expect(result).toMatchObject({ success: false, actions: [{ method: 'hover' }], effect: 'none-observed' });
  expect(result.message).toContain('The hover opened nothing');
});

it('rejects text in the second step that is on the page but not in the instruction', async () => {
  await open();
  const typed = choose('Other', { method: 'fill', arguments: ['SPRING-42'] });
  script = [choose('Colour', { twoStep: true }), typed, typed];
  const failure = await failureOf(browser.driver.act('Colour, other'));
  expect(String(failure)).toContain('the instruction neither states nor asks for the text "SPRING-42"');
  expect(tasks()[1]).toContain('Only the changes of the page');
});
