import { rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DriverElementNotFoundError, DriverInvalidArgumentError } from '../../src/errors.ts';
import { ScriptedModel, refOf } from '../../src/testing.ts';
import { failureOf } from '../support/failure-of.ts';
import { useBrowser } from '../support/use-browser.ts';

const browser = useBrowser();

afterAll(() => rm(photo, { force: true }));

/** Each control notes what happened to it in `window.log`. */
const PAGE = `<!doctype html><title>Methods</title>
  <button id="b">Save</button><label>Name <input id="t" value="A"></label><label><input type="checkbox" id="c"> News</label>
  <label>Size <select id="s"><option>Small<option>Large</select></label><label>Photo <input type="file" id="f"></label>
  <p id="d" draggable="true" tabindex="0" style="width: 60px">Card</p><div id="z" role="group" aria-label="Done" tabindex="0" style="height: 60px">Done</div>
  <div id="l" tabindex="0" role="region" aria-label="News list" style="height: 100px; overflow: auto"><p style="height: 2000px">Long</p></div><script>
  window.log = []; const note = (what) => { if (log.at(-1) !== what) log.push(what); };
  for (const type of ['click', 'dblclick', 'contextmenu', 'auxclick', 'mouseover', 'keydown', 'touchstart', 'focusin', 'change', 'drop'])
    addEventListener(type, (event) => note(type + ' ' + (event.target.closest('[id]')?.id ?? '')), true);
  z.ondragover = (event) => event.preventDefault(); l.onscroll = () => note('scroll ' + Math.sign(l.scrollTop))</script>`;

interface Case {
  readonly method: string;
  readonly on: string;
  readonly arguments?: readonly string[];
  /** Role and name, as a model names the element. */
  readonly element: readonly [role: string, name: string];
  readonly say: string;
  /** What the page notes, among other things. */
  readonly notes: string;
  /** Whether the built-in model is asked too. */
  readonly isOffline?: boolean;
}

const photo = join(tmpdir(), `chauffeur-photo-${process.pid}.txt`);
const save = { on: '#b', element: ['button', 'Save'] } as const;
const name = { on: '#t', element: ['textbox', 'Name'] } as const;
const size = { on: '#s', element: ['combobox', 'Size'], arguments: ['Large'], notes: 'change s' } as const;
const list = { on: '#l', element: ['region', 'News list'], notes: 'scroll 1' } as const;

const CASES: readonly Case[] = [
  { ...save, method: 'click', say: 'click Save', notes: 'click b', isOffline: true },
  { ...save, method: 'doubleClick', say: 'double-click Save', notes: 'dblclick b', isOffline: true },
  { ...save, method: 'rightClick', say: 'right-click Save', notes: 'contextmenu b', isOffline: true },
  { ...save, method: 'middleClick', say: 'middle-click Save', notes: 'auxclick b' },
  { ...save, method: 'hover', say: 'hover over Save', notes: 'mouseover b', isOffline: true },
  { ...save, method: 'tap', say: 'tap Save', notes: 'touchstart b', isOffline: true },
  { ...save, method: 'focus', say: 'focus the Save button', notes: 'focusin b', isOffline: true },
  {
    ...name,
    method: 'fill',
    arguments: ['Ada'],
    say: 'fill in the name with Ada',
    notes: 'value Ada',
    isOffline: true,
  },
  { ...name, method: 'type', arguments: ['da'], say: 'type da into the name', notes: 'value Ada' },
  {
    ...name,
    method: 'press',
    arguments: ['Enter'],
    say: 'press Enter in the name field',
    notes: 'keydown t',
    isOffline: true,
  },
  {
    on: '#c',
    element: ['checkbox', 'News'],
    method: 'check',
    say: 'check the news box',
    notes: 'checked true',
    isOffline: true,
  },
  {
    on: '#c',
    element: ['checkbox', 'News'],
    method: 'uncheck',
    say: 'uncheck the news box',
    notes: 'checked false',
    isOffline: true,
  },
  { ...size, method: 'select', say: 'select Large as the size', isOffline: true },
  { ...size, method: 'selectOption', say: 'choose Large as the size' },
  { ...size, method: 'selectOptionFromDropdown', say: 'pick Large from the size dropdown' },
  {
    on: '#d',
    element: ['paragraph', 'Card'],
    method: 'dragAndDrop',
    arguments: ['#z'],
    say: 'drag the card to Done',
    notes: 'drop z',
  },
  {
    on: '#f',
    element: ['button', 'Photo'],
    method: 'upload',
    arguments: [photo],
    say: `upload ${photo} as the photo`,
    notes: 'change f',
  },
  { ...list, method: 'scrollTo', arguments: ['50%'], say: 'scroll the news list half way down' },
  { ...list, method: 'scrollBy', arguments: ['300'], say: 'scroll the news list down by 300 pixels' },
  { ...list, method: 'nextChunk', say: 'scroll down in the news list' },
  { ...list, method: 'prevChunk', say: 'scroll up in the news list', notes: 'scroll 0' },
];

async function open(): Promise<void> {
  await writeFile(photo, 'a photo');
  await browser.page.goto(browser.server.page('/', PAGE), { waitUntil: 'load' });
}

/** The page as it was when it was opened, with nothing noted. */
async function beginAnew(method: string): Promise<void> {
  await browser.page.mouse.move(600, 700);
  const scrolledBy = method === 'prevChunk' ? 60 : 0;
  await browser.page.evaluate(`new Promise((done) => { const box = document.getElementById('c');
    t.value = 'A'; box.checked = ${method === 'uncheck'}; s.selectedIndex = 0; f.value = ''; document.activeElement.blur();
    const isThere = l.scrollTop === ${scrolledBy}; l.scrollTop = ${scrolledBy};
    const end = () => requestAnimationFrame(() => done(log.splice(0))); isThere ? end() : l.addEventListener('scroll', end, { once: true }) })`);
}

async function notes(): Promise<string[]> {
  const seen = await browser.page.evaluate(
    `[...log, 'value ' + t.value, 'checked ' + document.getElementById('c').checked]`,
  );
  return seen as string[];
}

/** A model that proposes the method of a case. */
function proposing({ method, element: [role, called], arguments: args = [] }: Case): ScriptedModel {
  return new ScriptedModel((request) => {
    const values = method === 'dragAndDrop' ? [refOf(request, { name: 'Done' })] : args;
    const ref = refOf(request, role === 'paragraph' ? { name: called } : { role, name: called });
    return {
      action: { ref, method, arguments: values, description: called },
      twoStep: false,
      reason: '',
      candidates: [],
    };
  });
}

describe('every method', () => {
  beforeAll(open);

  test.each(CASES.map((each) => [each.method, each] as const))(
    'runs %s from an action, an instruction and, if supported, the built-in model',
    async (method, each) => {
      const { on, say, arguments: args = [], notes: wanted, isOffline = false } = each;
      await beginAnew(method);
      const byAction = await browser.driver.act({ selector: on, description: '', method, arguments: args });
      expect(await notes()).toContain(wanted);
      expect(byAction).toMatchObject({ success: true, actions: [{ method }] });

      await beginAnew(method);
      const model = proposing(each);
      const byInstruction = await browser.driver.act(say, { model });
      expect(await notes()).toContain(wanted);
      expect(byInstruction).toMatchObject({ success: true, actions: [{ method }] });
      expect(model.requests).toHaveLength(1);

      if (!isOffline) return;
      await beginAnew(method);
      const byItself = await browser.driver.act(say);
      expect(await notes(), byItself.message).toContain(wanted);
    },
  );
});

describe('unknown method', () => {
  test('throws an error that lists the known methods when an action uses it', async () => {
    await open();
    const failure = await failureOf(
      browser.driver.act({ selector: '#b', description: 'Save', method: 'goto', arguments: [] }),
    );
    expect(failure).toBeInstanceOf(DriverInvalidArgumentError);
    expect(String(failure)).toMatch(/Unknown action method "goto".*click.*selectOptionFromDropdown.*upload/s);
    expect(await notes()).not.toContain('click b');
  });

  test('asks the model again with the list of known methods', async () => {
    await open();
    const model = new ScriptedModel((request) => ({
      action: {
        ref: refOf(request, { name: 'Save' }),
        method: model.requests.length === 1 ? 'goto' : 'click',
        arguments: [],
        description: 'Save',
      },
      twoStep: false,
      reason: '',
      candidates: [],
    }));
    expect((await browser.driver.act('click Save', { model })).success).toBe(true);
    expect(model.requests[1]?.messages.at(-1)?.text).toContain('selectOptionFromDropdown');
  });
});

/** A model that opens the dropdown first and then does as the test says. */
function opening(second: (request: Parameters<typeof refOf>[0]) => unknown, method = 'click'): ScriptedModel {
  return new ScriptedModel((request) =>
    model.requests.length > 1
      ? second(request)
      : {
          action: {
            ref: refOf(request, { name: 'Choose a size' }),
            method,
            arguments: [],
            description: 'the size',
          },
          twoStep: true,
          reason: '',
          candidates: [],
        },
  );
}

let model: ScriptedModel;

describe('dropdown that adds its options when it opens', () => {
  const dropdown = (onclick: string): string =>
    `<!doctype html><title>Size</title><button onclick="${onclick}">Choose a size</button>`;
  const OPENS = `setTimeout(() => this.insertAdjacentHTML('afterend', '<ul role=listbox><li role=option tabindex=0>Small<li role=option tabindex=0>Large</ul>'), 120)`;

  async function choose(html: string): Promise<ReturnType<typeof browser.driver.act>> {
    await browser.page.goto(browser.server.page('/size', html), { waitUntil: 'load' });
    return browser.driver.act('choose Large as the size', { model });
  }

  test('opens the dropdown and chooses the option with two model calls', async () => {
    model = opening((request) => ({
      action: { ref: refOf(request, { name: 'Large' }), method: 'click', arguments: [], description: 'Large' },
      twoStep: false,
      reason: '',
      candidates: [],
    }));
    const result = await choose(dropdown(OPENS));
    expect(result).toMatchObject({ success: true, actions: [{ description: 'the size' }, { description: 'Large' }] });
    expect(model.requests).toHaveLength(2);
  });

  test('reports that the click opened nothing, without a second model call', async () => {
    model = opening(() => new TypeError('it was asked once more'));
    const result = await choose(dropdown(''));
    expect(result).toMatchObject({ success: false, actions: [{ description: 'the size' }], effect: 'none-observed' });
    expect(result.message).toContain('The click opened nothing');
    expect(model.requests).toHaveLength(1);
  });

  test('reports the completed click and the nearest option when the option is missing', async () => {
    model = opening((request) => ({
      action: null,
      twoStep: false,
      reason: 'there is no such size.',
      candidates: [refOf(request, { name: 'Small' })],
    }));
    const result = await choose(dropdown(OPENS));
    expect(result).toMatchObject({ success: false, actions: [{ description: 'the size' }] });
    expect(result.message).toMatch(
      /Done: click on button "Choose a size".*there is no such size. Nearest matches: option "Small"/,
    );
  });

  test('throws an error without a second step when `check` cannot open the dropdown', async () => {
    model = opening(() => ({ action: null, twoStep: false, reason: 'nothing else', candidates: [] }), 'check');
    const failure = await failureOf(choose(dropdown(OPENS)));
    expect(String(failure)).toContain('it is not a checkbox');
    expect(model.requests[1]?.messages.at(-1)?.text).toContain('This was tried and failed');
    expect(await browser.page.evaluate('document.querySelectorAll("li").length')).toBe(0);
  });
});

describe('drag and drop', () => {
  async function show(html: string): Promise<void> {
    await browser.page.goto(browser.server.page('/', `<!doctype html><title>Test</title>${html}`), {
      waitUntil: 'load',
    });
  }

  function drag(selector: string, goal: string) {
    return browser.driver.act({ selector, description: 'the thing', method: 'dragAndDrop', arguments: [goal] });
  }

  test('drags an element with mouse listeners onto a target that needs scrolling', async () => {
    await show(`<div id="thing" style="width:50px;height:50px;background:red">thing</div><div style="height:2000px"></div><div id="goal" style="width:200px;height:200px;background:#eee">goal</div>
    <script>let held = false; thing.onmousedown = (event) => { held = true; event.preventDefault(); }; window.log = [];
    document.onmouseup = (event) => { if (held) log.push(document.elementFromPoint(event.clientX, event.clientY).id); };</script>`);
    expect(await drag('#thing', '#goal')).toMatchObject({ success: true });
    expect(await browser.page.evaluate('log')).toEqual(['goal']);
  });

  test('drops an HTML draggable element on its target', async () => {
    await show(`<div id="thing" draggable="true" style="width:50px;height:50px;background:red">thing</div><div id="goal" style="margin-top:100px;width:200px;height:200px;background:#eee">goal</div>
    <script>thing.ondragstart = (event) => event.dataTransfer.setData('text/plain', 'the thing'); goal.ondragover = (event) => event.preventDefault();
    goal.ondrop = (event) => { event.preventDefault(); goal.textContent = event.dataTransfer.getData('text/plain'); };</script>`);
    expect(await drag('#thing', '#goal')).toMatchObject({ success: true });
    expect(await browser.page.evaluate('goal.textContent')).toBe('the thing');
  });

  test('releases the mouse button when the drop target does not exist', { timeout: 20_000 }, async () => {
    await show(
      `<div id="thing" style="width:50px;height:50px">thing</div><script>window.log = []; onmousedown = () => log.push('down'); onmouseup = () => log.push('up');</script>`,
    );
    await expect(drag('#thing', '#none')).rejects.toBeInstanceOf(DriverElementNotFoundError);
    expect(await browser.page.evaluate('log')).toEqual(['down', 'up']);
  });

  test(
    'presses the mouse button once and asks no model when the drop target does not exist',
    { timeout: 30_000 },
    async () => {
      await show(
        `<button id="thing">thing</button><script>window.log = []; onmousedown = () => log.push('down'); onmouseup = () => log.push('up');</script>`,
      );
      const [observed] = await browser.driver.observe();
      const action = { ...observed, selector: observed?.selector ?? '', description: observed?.description ?? '' };
      const again = { ...action, method: 'dragAndDrop', arguments: ['#none'] };
      const unasked = new ScriptedModel(() => ({ action: null, twoStep: false, reason: 'none', candidates: [] }));
      await expect(browser.driver.act(again, { model: unasked })).rejects.toBeInstanceOf(DriverElementNotFoundError);
      expect(await browser.page.evaluate('log')).toEqual(['down', 'up']);
      expect(unasked.requests).toEqual([]);
    },
  );
});

describe('a field that ignores the pointer', () => {
  const FIELD =
    '<input role="combobox" aria-expanded="false" readonly placeholder="Size" style="pointer-events: none">';

  test('is clicked through the box that handles its clicks', async () => {
    const box = `<div id="box"><div><div><p>${FIELD}</p></div></div></div>`;
    const script = `<script>document.getElementById('box').addEventListener('click', () => { document.title = 'open' })</script>`;
    await browser.page.goto(browser.server.page('/', box + script));
    await browser.page.snapshot();
    await browser.page.locator('role=combobox').click();
    expect(await browser.page.title()).toBe('open');
  });

  test('is not clicked if nothing around it handles clicks', async () => {
    await browser.page.goto(browser.server.page('/', `<div>${FIELD}</div>`));
    await browser.page.snapshot();
    await expect(browser.page.locator('role=combobox').click({ timeout: 300 })).rejects.toThrow(/ignores clicks/);
  });
});
