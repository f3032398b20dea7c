import { describe, expect, it } from 'vitest';
import type { AgentResult } from '../../src/index.ts';
import { type ScriptedAnswer, ScriptedModel } from '../../src/testing.ts';
import { useBrowser } from '../support/use-browser.ts';
import { click, done, step } from './steps-for-test.ts';

const browser = useBrowser({ routes: { '/thanks': '<title>Thanks</title><h1>Order 4711 is on its way</h1>' } });
let model: ScriptedModel;

/** Carries out a task on a page with this content by a model that answers so. */
async function play(html: string, script: readonly ScriptedAnswer[]): Promise<AgentResult> {
  await browser.page.goto(browser.server.page('/', `<!doctype html>${html}`));
  model = new ScriptedModel(script);
  return browser.driver.agent({ model }).execute({ instruction: 'Do it', page: browser.page });
}

/** Letters, each with a link that changes only the address behind its hash, and a box. */
function letters(onHashChange: string): string {
  const items = [1, 2, 3].map(
    (number) => `<li><a href="#/letter/${number}">Letter ${number}</a>
    <input type=checkbox aria-label="Choose ${number}">`,
  );
  return `<ul id=list>${items.join('')}</ul><section id=letter>None is open</section>
    <script>onhashchange = () => { ${onHashChange} }</script>`;
}

const OPENS = `letter.textContent = 'This is ' + location.hash`;

describe('same-document navigation during a step', () => {
  it('runs the next call when the page still has all elements of the snapshot', async () => {
    const box = { tool: 'check', on: { name: 'Choose 3' } };
    const { actions } = await play(letters(OPENS), [step(click('Letter 2'), box), done('', { evidence: ['This is'] })]);
    expect(actions.map(({ tool, success }) => [tool, success])).toEqual([
      ['click', true],
      ['check', true],
      ['done', true],
    ]);
    expect(await browser.page.locator('[aria-label="Choose 3"]').isChecked()).toBe(true);
  });

  it.each([
    ['other elements', `list.innerHTML = '<li><button>Reply</button>'`],
    ['a renamed target element', `document.querySelectorAll('input')[2].ariaLabel = 'Delete 3'`],
  ])('skips the next call when the page has %s', async (_what, change) => {
    const box = { tool: 'check', on: { name: 'Choose 3' } };
    const gaveUp = step({ tool: 'done', input: { success: false, message: 'No.' } });
    const { actions } = await play(letters(change), [step(click('Letter 2'), box), gaveUp]);
    expect(actions[1]).toMatchObject({ tool: 'check', success: false, result: expect.stringMatching(/^Not done: /) });
  });
});

/** A list that a script renders again on every click, without reusing elements. */
const REDRAWN = (names: string): string => `<ul id=list></ul><p id=said></p><script>
  const draw = () => { list.innerHTML = ${names}.map((name) => '<li><button onclick="pick(this.textContent)">' + name + '</button></li>').join('') };
  const pick = (name) => { said.textContent += name + ' '; draw() };
  draw();</script>`;

describe('element rerendered by an earlier call of the step', () => {
  const said = (): Promise<string | null> => browser.page.locator('#said').textContent();
  const gaveUp = step({ tool: 'done', input: { success: false, message: 'No.' } });

  it('is found by role and name when only one matches', async () => {
    const { actions } = await play(REDRAWN(`['Banana', 'Cherry']`), [step(click('Banana'), click('Cherry')), gaveUp]);
    expect(actions.map(({ success }) => success)).toEqual([true, true, true]);
    expect(await said()).toBe('Banana Cherry ');
  });

  it('is reported as missing when two elements have its name', async () => {
    const names = `(said.textContent ? ['Banana', 'Cherry', 'Cherry'] : ['Banana', 'Cherry'])`;
    const { actions } = await play(REDRAWN(names), [step(click('Banana'), click('Cherry')), gaveUp]);
    expect(actions[1]).toMatchObject({ success: false, result: expect.stringMatching(/no longer on the page/) });
    expect(await said()).toBe('Banana ');
  });
});

const ORDER = `<title>Order</title><label>Name <input id=who></label><label><input type=checkbox> News</label>
  <button onclick="said.textContent = who.value ? 'Thank you, ' + who.value : 'Give a name'">Save</button>
  <a href="/thanks">Order</a><p id=said></p>`;

describe('`done` in the step of the last action', () => {
  it('ends the run with one model call when the actions change only their own elements', async () => {
    const fill = { tool: 'fill', on: { name: 'Name' }, input: { text: 'Ada' } };
    const box = { tool: 'check', on: { name: 'News' } };
    const end = { tool: 'done', input: { success: true, message: 'Both are set.' } };
    const result = await play(ORDER, [step(fill, box, end)]);
    expect(result).toMatchObject({ success: true, message: 'Both are set.' });
    expect(model.requests).toHaveLength(1);
  });

  it('checks the evidence against the new page after a navigation', async () => {
    const end = { tool: 'done', input: { success: true, message: 'Ordered.', evidence: ['is on its way'] } };
    expect(await play(ORDER, [step(click('Order'), end)])).toMatchObject({ success: true, message: 'Ordered.' });
    expect(model.requests).toHaveLength(1);
  });

  it('questions the claim when the page does not show the evidence', async () => {
    const end = { tool: 'done', input: { success: true, message: 'Saved.', evidence: ['Thank you'] } };
    const again = step({ tool: 'done', input: { success: false, message: 'A name is missing.' } });
    const result = await play(ORDER, [step(click('Save'), end), again]);
    expect(result).toMatchObject({ success: false, message: 'A name is missing.' });
    expect(result.actions[1]?.result).toMatch(/^Not accepted yet\. .*Not found: "Thank you"/);
  });

  it('questions a claim without evidence after a navigation', async () => {
    const end = { tool: 'done', input: { success: true, message: 'Ordered.' } };
    const result = await play(ORDER, [step(click('Order'), end), done('Ordered.', { evidence: ['Order 4711'] })]);
    expect(result.success).toBe(true);
    expect(model.requests).toHaveLength(2);
  });

  it('sends only the change with its question, and the whole page after the next action', async () => {
    const long = `${ORDER}${'<p>Terms of the shop that nobody reads.</p>'.repeat(40)}`;
    const end = { tool: 'done', input: { success: true, message: 'Saved.' } };
    const fill = { tool: 'fill', on: { name: 'Name' }, input: { text: 'Ada' } };
    const gaveUp = step({ tool: 'done', input: { success: false, message: 'No.' } });
    await play(long, [step(click('Save'), end), step(fill), gaveUp]);
    const [first, second, third] = model.requests.map(({ messages }) => messages.map(({ text }) => text).join('\n'));
    expect(first).toContain('Terms of the shop');
    expect(second).not.toContain('Terms of the shop');
    expect(second).toContain('Give a name');
    expect(third).toContain('Terms of the shop');
  });

  it('sends the whole page with its question when the last action had no effect', async () => {
    const long = `<button>Save</button>${'<p>Terms of the shop that nobody reads.</p>'.repeat(40)}`;
    const end = { tool: 'done', input: { success: true, message: 'Saved.' } };
    const gaveUp = step({ tool: 'done', input: { success: false, message: 'No.' } });
    await play(long, [step(click('Save'), end), gaveUp]);
    const { messages = [] } = model.requests[1] ?? {};
    expect(messages.map(({ text }) => text).join('\n')).toContain('Terms of the shop');
  });

  it('ends the run with one model call when the action also moved the focus', async () => {
    const html = '<input aria-label="First" autofocus><label><input type=checkbox> News</label>';
    const end = { tool: 'done', input: { success: true, message: 'It is set.' } };
    const result = await play(html, [step({ tool: 'check', on: { name: 'News' } }, end)]);
    expect(result).toMatchObject({ success: true, message: 'It is set.' });
    expect(model.requests).toHaveLength(1);
  });

  it('questions a claim without evidence when the page reloaded and looks as before', async () => {
    const end = { tool: 'done', input: { success: true, message: 'Logged in.' } };
    const form = '<form><input aria-label="Name"><button>Log in</button></form>';
    const fill = { tool: 'fill', on: { name: 'Name' }, input: { text: 'Ada' } };
    const gaveUp = step({ tool: 'done', input: { success: false, message: 'The form is there again.' } });
    const result = await play(form, [step(fill, click('Log in'), end), gaveUp]);
    expect(result).toMatchObject({ success: false, message: 'The form is there again.' });
  });

  it('questions a second claim when the first one came with an action', async () => {
    const hasty = { tool: 'done', input: { success: true, message: 'Saved.', evidence: ['Thank you'] } };
    const fill = { tool: 'fill', on: { name: 'Name' }, input: { text: 'Ada' } };
    const script = [step(click('Save'), hasty), done('Saved.', { evidence: ['Thank you'] }), step(fill, click('Save'))];
    const result = await play(ORDER, [...script, done('Saved.', { evidence: ['Thank you, Ada'] })]);
    expect(result).toMatchObject({ success: true, message: 'Saved.' });
    const ends = result.actions.filter(({ tool }) => tool === 'done');
    expect(ends.map(({ success }) => success)).toEqual([false, false, true]);
  });

  it('questions two claims, then reports failure, when every claim comes with an action', async () => {
    const hasty = { tool: 'done', input: { success: true, message: 'Saved.', evidence: ['Thank you'] } };
    const again = step(click('Save'), hasty);
    const result = await play(ORDER, [again, again, again]);
    expect(result).toMatchObject({ success: false, completed: true });
    expect(model.requests).toHaveLength(3);
  });

  it('questions a second claim when the submitted form appears again', async () => {
    const end = { tool: 'done', input: { success: true, message: 'Logged in.' } };
    const form = '<form><input aria-label="Name"><button>Log in</button></form>';
    const again = step({ tool: 'fill', on: { name: 'Name' }, input: { text: 'Ada' } }, click('Log in'), end);
    const gaveUp = step({ tool: 'done', input: { success: false, message: 'The form is there again.' } });
    const result = await play(form, [again, again, gaveUp]);
    expect(result).toMatchObject({ success: false, message: 'The form is there again.' });
  });

  it.each([
    ['accepts', 'Order', 'The page navigated.', undefined],
    ['rejects', 'Wait', 'No change was observed.', 'Not found'],
  ])('%s the report of a click on %s as evidence: %s', async (_what, name, evidence, objection) => {
    const end = done('Done.', { evidence: [evidence] });
    const gaveUp = step({ tool: 'done', input: { success: false, message: 'No.' } });
    const { actions } = await play(`${ORDER}<button>Wait</button>`, [step(click(name)), end, gaveUp]);
    const [, ended] = actions;
    expect(ended?.success).toBe(objection === undefined);
    expect(ended?.result).toContain(objection ?? '');
  });

  it('continues the run when a call before `done` was skipped', async () => {
    const end = { tool: 'done', input: { success: true, message: 'All.', evidence: ['is on its way'] } };
    const gaveUp = step({ tool: 'done', input: { success: false, message: 'Not saved.' } });
    const result = await play(ORDER, [step(click('Order'), click('Save'), end), gaveUp]);
    expect(result.actions.map(({ tool, success }) => [tool, success])).toEqual([
      ['click', true],
      ['click', false],
      ['done', false],
      ['done', true],
    ]);
  });
});

it('accepts `done` without output when success is false, as the tool description says', async () => {
  await browser.page.goto(browser.server.page('/', ORDER));
  model = new ScriptedModel([step({ tool: 'done', input: { success: false, message: 'There is none.' } })]);
  const output = { type: 'object', properties: { number: { type: 'string' } }, required: ['number'] };
  const agent = browser.driver.agent({ model });
  const result = await agent.execute({ instruction: 'Which order?', page: browser.page, output });
  expect(result).toMatchObject({ completed: true, success: false, message: 'There is none.' });
  const tool = model.requests[0]?.tools?.find(({ name }) => name === 'done');
  expect(tool?.input['required']).toEqual(['success', 'message']);
  expect(tool?.description).toContain('omit it without success');
});

describe('navigation in the step of `done`', () => {
  const many = (words: string): string =>
    Array.from({ length: 300 }, (_, index) => `<p>${words} ${index}</p><button>Open ${index}</button>`).join('');
  const claimed = step(click('Send'), { tool: 'done', input: { success: true, message: 'Sent.' } });
  const shownIn = (index: number): string => model.requests[index]?.messages.map(({ text }) => text).join('\n') ?? '';

  it('sends the new page folded to a few lines, and in full when the run continues', async () => {
    browser.server.page('/sent', `<title>Sent</title><h1>Thank you</h1>${many('Offer')}`);
    await play('<a href=/sent>Send</a>', [claimed, step({ tool: 'click', on: { name: 'Open 0' } }), done()]);
    expect(shownIn(1)).toContain('heading 1 "Thank you"');
    expect(shownIn(1)).not.toContain('Offer 150');
    expect(shownIn(1).length).toBeLessThan(shownIn(2).length / 2);
    expect(shownIn(2)).toContain('Offer 150');
  });
});
