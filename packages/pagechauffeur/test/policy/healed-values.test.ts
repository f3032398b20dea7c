import { describe, expect, it, test } from 'vitest';
import { type Page, DriverError, DriverElementNotFoundError, LLMResponseError } from '../../src/index.ts';
import { refOf, ScriptedModel } from '../../src/testing.ts';
import { failureOf } from '../support/failure-of.ts';
import { useBrowser } from '../support/use-browser.ts';

interface Choice {
  readonly name: string;
  readonly method?: string;
}

/** A model that makes these choices, call by call; the last choice is repeated. */
function modelThatChooses(...choices: readonly Choice[]): ScriptedModel {
  const model = new ScriptedModel((request) => {
    const { name, method = 'fill' } = choices[model.requests.length - 1] ?? choices.at(-1) ?? { name: '' };
    const action = {
      ref: refOf(request, { name }),
      method,
      arguments: ['%password%'],
      description: `the field ${name}`,
    };
    if (request.verb === 'observe') return { elements: [action] };
    return { action, twoStep: false, reason: '', candidates: [] };
  });
  return model;
}

const browser = useBrowser({ llmClient: modelThatChooses() });
const unhealed = useBrowser({ llmClient: modelThatChooses(), selfHeal: false });
const SECRET = 'Zanzibar-77';
const variables = { password: SECRET };
const INSTRUCTION = 'type %password% into Password';

const FIELD = '<label id="label">Password <input id="field" type="password"></label>';
const DIALOG = '<dialog id="dialog"><label>Code <input id="code"></label></dialog>';

/** A page that does something with the field when it hears of its text. */
function shop(event: string, theft: string, more = ''): string {
  return `<!doctype html><title>Shop</title>${FIELD}${DIALOG}${more}
    <script>field.addEventListener('${event}', () => { ${theft} });</script>`;
}

const THEFTS = {
  'opens a modal dialog': 'dialog.open || dialog.showModal(); code.focus()',
  'takes the field away': 'label.remove(); dialog.show(); code.focus()',
  'writes itself again':
    "document.open(); document.write('<!doctype html><title>Shop</title><label>Code <input id=code autofocus></label>'); document.close(); code.focus()",
} as const;

/** What fields other than the password's hold, in all frames. */
async function held(page: Page): Promise<string> {
  const values = "[...document.querySelectorAll('input:not(#field)')].map(({ value }) => value).join('')";
  return (await Promise.all(page.frames().map((frame) => frame.evaluate(values)))).join('');
}

let pages = 0;

/** Opens a page of its own, because most tests wait 5 s for an element and run at the same time. */
function open(html: string, { driver, server } = browser): Promise<Page> {
  pages += 1;
  return driver.context.newPage(server.page(`/shop-${pages}`, html));
}

describe.concurrent('variable whose field becomes unavailable', () => {
  it.each<[string, string, keyof typeof THEFTS]>([
    ['fill', 'beforeinput', 'opens a modal dialog'],
    ['type', 'focus', 'opens a modal dialog'],
    ['fill', 'keydown', 'takes the field away'],
    ['type', 'keydown', 'takes the field away'],
    ['fill', 'keydown', 'writes itself again'],
    ['fill', 'beforeinput', 'writes itself again'],
    ['type', 'keydown', 'writes itself again'],
    ['type', 'textInput', 'writes itself again'],
  ])('act() does not heal it into another field (%s) when the page, on %s, %s', async (method, event, theft) => {
    const page = await open(shop(event, THEFTS[theft]));
    const model = modelThatChooses({ name: 'Password', method }, { name: 'Code', method });
    const failure = await failureOf(browser.driver.act(INSTRUCTION, { variables, page, model }));
    expect(failure).toBeInstanceOf(DriverError);
    expect(await held(page)).toBe('');
  });

  it('act() fills the field that the page shows instead', async () => {
    const page = await open(
      shop('focus', 'label.remove(); dialog.show(); code.name = "again"', '').replace('Code', 'Password'),
    );
    const model = modelThatChooses({ name: 'Password' });
    expect(await browser.driver.act(INSTRUCTION, { variables, page, model })).toMatchObject({ success: true });
    expect(await page.locator('#code').inputValue()).toBe(SECRET);
  });

  it('act() does not fill a field of the same name in a document of another site', async () => {
    const { otherOrigin } = browser.server;
    browser.server.page('/advert', '<!doctype html><label>Password <input id="loot"></label>');
    const page = await open(
      shop(
        'focus',
        'label.remove(); advert.hidden = false',
        `<iframe id="advert" src="${otherOrigin}/advert"></iframe>`,
      ).replace('<iframe', '<iframe hidden'),
    );
    const model = modelThatChooses({ name: 'Password' });
    const failure = await failureOf(browser.driver.act(INSTRUCTION, { variables, page, model }));
    expect(String(failure)).toContain('%password% can be typed only on the site of the failed step');
    expect(await held(page)).toBe('');
  });
});

describe.concurrent('action with a variable', () => {
  const action = {
    selector: '#gone',
    description: 'my Password over there',
    method: 'fill',
    arguments: ['%password%'],
  };

  it('act() heals it only into a field that its description names', async () => {
    const page = await open(`<!doctype html>${FIELD}<label>Code <input></label>`);
    const wrong = modelThatChooses({ name: 'Code' });
    const failure = await failureOf(browser.driver.act(action, { variables, page, model: wrong }));
    expect(String(failure)).toContain(
      '%password% can be typed only into the field of the failed step or one that the instruction names, not into textbox "Code"',
    );
    expect(await held(page)).toBe('');
    const model = modelThatChooses({ name: 'Password' });
    expect(await browser.driver.act(action, { variables, page, model })).toMatchObject({ success: true });
    expect(await page.locator('#field').inputValue()).toBe(SECRET);
  });

  it.each([
    ['a model', 'my Password over there'],
    ['its description', 'the Password field'],
  ])('act() does not heal it by %s into a frame of another site', async (_what, description) => {
    const { otherOrigin } = browser.server;
    browser.server.page('/advert', '<!doctype html><label>Password <input id="loot"></label>');
    const page = await open(`<!doctype html><title>Shop</title><iframe src="${otherOrigin}/advert"></iframe>`);
    const model = modelThatChooses({ name: 'Password' });
    const failure = await failureOf(browser.driver.act({ ...action, description }, { variables, page, model }));
    expect(String(failure)).toContain('%password% can be typed only on the site of the failed step');
    expect(await held(page)).toBe('');
  });

  it.each([
    ['with self-heal', browser],
    ['without self-heal', unhealed],
  ])('act() does not fill an element that replaced the observed one, %s', async (_what, started) => {
    const page = await open(`<!doctype html>${FIELD}`, started);
    const model = modelThatChooses({ name: 'Password' }, { name: 'Code' });
    const [found] = await started.driver.observe('the field for %password%', { variables, page, model });
    expect(found).toMatchObject({ arguments: ['%password%'] });
    await page.evaluate(`label.innerHTML = 'Code <input id="code">'`);
    const failure = await failureOf(started.driver.act(found ?? action, { variables, page, model }));
    expect(failure).toBeInstanceOf(DriverElementNotFoundError);
    expect(await page.locator('#code').inputValue()).toBe('');
  });
});

test('act() rejects a ref of another field than the one that the instruction names', async () => {
  const page = await open(`<!doctype html>${FIELD}<label>Comment <input></label>`);
  const model = modelThatChooses({ name: 'Comment' });
  const failure = await failureOf(browser.driver.act(INSTRUCTION, { variables, page, model }));
  expect(failure).toBeInstanceOf(LLMResponseError);
  expect(String(failure)).toContain('the instruction names textbox "Password", not textbox "Comment"');
  expect(await held(page)).toBe('');
});
