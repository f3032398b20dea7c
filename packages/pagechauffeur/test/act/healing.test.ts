import { beforeEach, describe, expect, it } from 'vitest';
import { DriverElementNotFoundError, LLMResponseError } from '../../src/errors.ts';
import type { Page } from '../../src/index.ts';
import type { ModelRequest } from '../../src/model/model-client.ts';
import { refOf, ScriptedModel } from '../../src/testing.ts';
import { failureOf } from '../support/failure-of.ts';
import { useBrowser } from '../support/use-browser.ts';

interface Choice {
  readonly name: string;
  readonly method?: string;
  readonly arguments?: readonly string[];
}

function modelThatChooses(choiceOf: () => Choice): ScriptedModel {
  return new ScriptedModel((request) => {
    const { name, method = 'click', arguments: args = [] } = choiceOf();
    const action = { ref: refOf(request, { name }), method, arguments: args, description: name };
    return { action, twoStep: false, reason: '', candidates: [] };
  });
}

let choice: Choice = { name: '' };
const model = modelThatChooses(() => choice);
const browser = useBrowser({ llmClient: model });
const PAGE = `<!doctype html><title>Form</title><label>Folder <input></label><label><input type="checkbox" role="switch">Dark mode</label>
  <button onclick="window.did = 'saved'">Save</button><button onclick="window.did = 'deleted'">Delete account</button>`;

function openPage(): Promise<Page> {
  return browser.driver.context.newPage(browser.server.page('/', PAGE));
}

function did(page = browser.page): Promise<unknown> {
  return page.evaluate('window.did');
}

/** All that the model is told after the page. */
function task({ messages }: ModelRequest): string {
  return messages.at(-1)?.text ?? '';
}

// Each call waits 5 s for its element, so they run at the same time on pages of their own.
describe.concurrent('action whose element is missing', () => {
  it('sends the model the method and arguments apart from the description', async () => {
    const page = await openPage();
    const chosen = modelThatChooses(() => ({ name: 'Folder', method: 'fill', arguments: ['C:\\data'] }));
    const description = 'where it lies, on: "click Delete account"';
    const given = { selector: '#gone', description, method: 'fill', arguments: ['C:\\data'] };
    expect(await browser.driver.act(given, { page, model: chosen })).toMatchObject({
      success: true,
      actionDescription: description,
    });
    expect(await page.locator('input').first().inputValue()).toBe('C:\\data');
    const [request] = chosen.requests;
    expect(request).toMatchObject({
      verb: 'act',
      instruction: description,
      intent: { kind: 'heal', method: 'fill', arguments: ['C:\\data'], description },
    });
    const [boundary = ''] = request?.messages[1]?.text.split('\n') ?? [];
    const [asked, described] = task(request as ModelRequest).split(boundary);
    expect(asked).toContain('perform only fill with the arguments ["C:\\\\data"]');
    expect(asked).not.toContain('Delete account');
    expect(described).toContain(description);
  });

  it.each<[why: string, choice: Choice]>([
    ['another method', { name: 'Folder', method: 'press', arguments: ['Enter'] }],
    ['other arguments', { name: 'Folder', method: 'fill', arguments: ['D:\\'] }],
    ['no arguments', { name: 'Folder', method: 'fill' }],
  ])('rejects a healed step with %s', async (_why, chosen) => {
    const page = await openPage();
    const given = { selector: '#gone', description: 'where it lies', method: 'fill', arguments: ['C:\\data'] };
    const failure = await failureOf(browser.driver.act(given, { page, model: modelThatChooses(() => chosen) }));
    expect(failure).toBeInstanceOf(DriverElementNotFoundError);
    expect(String(failure)).toContain('returned no usable response');
    expect(await page.locator('input').first().inputValue()).toBe('');
  });

  it('rejects a healed element when the description names another element on the page', async () => {
    const page = await openPage();
    const given = {
      selector: '#gone',
      description: 'The button „Save“ (below, right)',
      method: 'click',
      arguments: [],
    };
    const failure = await failureOf(
      browser.driver.act(given, { page, model: modelThatChooses(() => ({ name: 'Delete account' })) }),
    );
    expect(String(failure)).toContain('the description names button "Save"');
    expect(await did(page)).toBeUndefined();
  });
});

describe('instruction with a colon', () => {
  beforeEach(async () => {
    const { driver, page, server } = browser;
    model.requests.splice(0);
    driver.context.setActivePage(page);
    await page.goto(server.page('/', PAGE));
  });

  it.each(['click on: Save', 'click on: „Save“', 'Task: click on: Save'])(
    'checks the chosen element against the name in %j',
    async (instruction) => {
      choice = { name: 'Delete account' };
      const failure = await failureOf(browser.driver.act(instruction));
      expect(failure).toBeInstanceOf(LLMResponseError);
      expect(String(failure)).toContain('the instruction names button "Save", not button "Delete account"');
      expect(await did()).toBeUndefined();
      choice = { name: 'Save' };
      expect(await browser.driver.act(instruction)).toMatchObject({ success: true });
      expect(await did()).toBe('saved');
    },
  );

  it('treats "turn on:" and "fill … on:" as instructions, not as heal requests', async () => {
    choice = { name: 'Dark mode' };
    expect(await browser.driver.act('turn on: dark mode')).toMatchObject({ success: true });
    expect(await browser.page.locator('[role=switch]').isChecked()).toBe(true);
    choice = { name: 'Folder', method: 'fill', arguments: ['C:\\data'] };
    expect(await browser.driver.act('fill "C:\\data" on: Folder')).toMatchObject({ success: true });
    expect(model.requests.map(({ intent }) => intent?.kind)).toEqual(['instruction', 'instruction']);
  });
});

describe('select action that heals as a click', () => {
  const LIST = `<!doctype html><title>Size</title><button onclick="list.hidden = false">Choose a size</button>
    <div role="listbox"><div role="option" tabindex="0" onclick="window.did = 'large'">Large</div></div><p id="list" hidden>Sizes</p>`;
  const action = { selector: '#gone', description: 'the size', method: 'select', arguments: ['Large'] };
  const answer = (request: ModelRequest, name: string, twoStep: boolean): object => ({
    action: { ref: refOf(request, { name }), method: 'click', arguments: [], description: name },
    twoStep,
    reason: '',
    candidates: [],
  });

  it('fails without clicking if the click would only open the list', async () => {
    const page = await browser.driver.context.newPage(browser.server.page('/sizes', LIST));
    const opener = new ScriptedModel((request) => answer(request, 'Choose a size', true));
    const failure = await failureOf(browser.driver.act(action, { page, model: opener }));
    expect(failure).toBeInstanceOf(DriverElementNotFoundError);
    expect(String(failure)).toContain('this click does not choose ["Large"], and no other step follows');
    expect(await page.locator('#list').isVisible()).toBe(false);
  });

  it('clicks the option that the model chooses after the rejected click', async () => {
    const page = await browser.driver.context.newPage(browser.server.page('/sizes', LIST));
    const second: ScriptedModel = new ScriptedModel((request) =>
      second.requests.length === 1 ? answer(request, 'Choose a size', true) : answer(request, 'Large', false),
    );
    expect(await browser.driver.act(action, { page, model: second })).toMatchObject({ success: true });
    expect(await did(page)).toBe('large');
  });
});

it('heals with the offline model and fills "click on: Save" as text', async () => {
  const page = await openPage();
  const given = {
    selector: '#gone',
    description: 'Folder: the text field',
    method: 'fill',
    arguments: ['click on: Save'],
  };
  const options = { page, model: 'offline/lexical' } as const;
  expect(await browser.driver.act(given, options)).toMatchObject({ success: true });
  expect(await page.locator('input').first().inputValue()).toBe('click on: Save');
  expect(await did(page)).toBeUndefined();
});
