import { beforeEach, describe, expect, it } from 'vitest';
import { type Action, DriverLocatorError } from '../../src/index.ts';
import { choose, useCache } from '../cache/cache-bench.ts';
import { call, runTask, on } from '../agent/task-bench.ts';
import { failureOf } from '../support/failure-of.ts';
import { useBrowser } from '../support/use-browser.ts';

const bench = useCache();
let number = 0;
let path = '';

beforeEach(() => {
  number += 1;
  path = `/checked-${number}`;
});

/** Counts the clicks that reach the document. */
const COUNTED = `<script>window.hits = []; addEventListener('click', (event) => hits.push(event.target.id), true)</script>`;
const box = (rest: string): string => `<label><input type="checkbox" id="x" ${rest}> News</label>${COUNTED}`;
const REFUSING = box('onclick="event.preventDefault()"');
const WILLING = box('');
const act = (method: string) => bench.driver.act(action(method));
const action = (method: string): Action => ({ selector: '#x', description: 'the News box', method, arguments: [] });

/** A style for a control that only screen readers get, and a label on top of it. */
const CUT =
  'position: absolute; width: 1px; height: 1px; margin: -1px; overflow: hidden; clip: rect(0 0 0 0); border: 0; padding: 0';

describe('visually hidden control of one pixel', () => {
  it.each(['check', 'click'])('sends a %s to the label when another element covers the control', async (method) => {
    await bench.open(
      `<div style="position: relative"><label for="y" style="display: block; height: 40px">Manual</label>
        <input type="radio" name="g" id="x" style="${CUT}; top: 10px; left: 10px"><label for="x">Automatic</label>
        <input type="radio" name="g" id="y" style="${CUT}"></div>`,
      path,
    );
    await act(method);
    expect(await bench.driver.context.pages()[0]?.evaluate('x.checked')).toBe(true);
  });
});

// An act waits for two seconds for the state to change after all, so these run at the same time on pages of their own.
describe('control whose state the page reverts, one page per case', () => {
  const browser = useBrowser();

  // [spec: act-result.success]
  it.concurrent.each<[what: string, method: string, html: string, message: RegExp]>([
    [
      'a checkbox',
      'check',
      REFUSING,
      /^Clicked <input#x> \(checkbox "News"\), but it is still off: the page prevents the change/,
    ],
    ['a checked checkbox', 'uncheck', box('checked onclick="event.preventDefault()"'), /still on: the page prevents/],
    [
      'a radio button',
      'uncheck',
      `<input type="radio" id="x" checked>${COUNTED}`,
      /still on: .* another one in its group/,
    ],
    [
      'a switch without a listener',
      'check',
      `<div role="switch" aria-checked="false" tabindex="0" id="x">Dark</div>${COUNTED}`,
      /still off/,
    ],
    [
      'a switch that never says whether it is on',
      'check',
      `<div role="switch" tabindex="0" id="x">Dark</div>${COUNTED}`,
      /^Clicked <div#x> \(switch "Dark"\), but the page does not say whether it is on/,
    ],
    [
      'an option that the list marks as not selected',
      'check',
      `<ul role="listbox"><li role="option" aria-selected="false" id="x">Large</ul>${COUNTED}`,
      /still off/,
    ],
    [
      'a checkbox that asks for confirmation',
      'check',
      box(`onclick="if (!confirm('Sure?')) event.preventDefault()"`),
      /still off: .* After the click: a dialog \(confirm\) said "Sure\?" and was dismissed\.$/m,
    ],
    [
      'a checkbox that the page rerenders',
      'check',
      `<div id="form"></div>${COUNTED}<script>const draw = () => {
        form.innerHTML = '<label><input type="checkbox" id="x"> News</label>'; x.onchange = draw; }; draw()</script>`,
      /still off/,
    ],
    [
      'a page that scrolls instead',
      'check',
      `${box(`onclick="event.preventDefault(); scrollTo(0, 500)"`)}<p style="height: 3000px">Long</p>`,
      /still off/,
    ],
  ])('throws a DriverLocatorError after one click: %s', async (what, method, html, message) => {
    const { driver, server } = browser;
    const page = await driver.context.newPage(
      server.page(`/reverts/${encodeURIComponent(what)}`, `<!doctype html>${html}`),
    );
    const failure = await failureOf(driver.act(action(method), { page }));
    expect(failure).toBeInstanceOf(DriverLocatorError);
    expect(failure).toMatchObject({ hasActed: true, message: expect.stringMatching(message) as string });
    // Healing would click a second time.
    expect(await page.evaluate('hits')).toHaveLength(1);
  });
});

describe('control whose state the page reverts', () => {
  it('fails an instruction after one model call and one click', async () => {
    await bench.open(REFUSING, path);
    const asked = bench.asked;
    bench.answer = choose({ role: 'checkbox', name: 'News', method: 'check' });
    await expect(bench.driver.act('check News')).rejects.toBeInstanceOf(DriverLocatorError);
    expect(bench.asked - asked).toBe(1);
    expect(await bench.hits()).toHaveLength(1);
  });

  it('fails the replay of a cached act after one click', async () => {
    await bench.open(WILLING, path);
    bench.answer = choose({ role: 'checkbox', name: 'News', method: 'check' });
    expect(await bench.driver.act('check News')).toMatchObject({ success: true, effect: 'changed' });
    await bench.open(REFUSING, path);
    await expect(bench.driver.act('check News')).rejects.toThrow(/still off/);
    expect(await bench.hits()).toHaveLength(1);
  });

  it('fails the tool call of an agent and gives the reason to the model', async () => {
    await bench.open(REFUSING, path);
    const { result, requests } = await runTask(bench, 'Check News', [
      [on('check', 'checkbox', 'News')],
      [call('done', { success: false, message: 'It stays off.' })],
    ]);
    expect(result.actions.map(({ tool, success }) => [tool, success])).toEqual([
      ['check', false],
      ['done', true],
    ]);
    expect(JSON.stringify(requests.at(-1)?.messages)).toContain('but it is still off');
    expect(await bench.hits()).toHaveLength(1);
  });

  it('ends the replay of an agent task and lets the model continue', async () => {
    await bench.open(WILLING, path);
    const steps = [[on('check', 'checkbox', 'News')], [call('done', { success: true, message: 'News is on.' })]];
    expect((await runTask(bench, 'Check News', steps)).result.success).toBe(true);
    await bench.open(REFUSING, path);
    const { result, requests } = await runTask(bench, 'Check News', [
      [call('done', { success: false, message: 'It stays off.' })],
    ]);
    expect(result).toMatchObject({ success: false, metadata: { replayedSteps: 0 } });
    expect(requests[0]?.page.text).toContain('checkbox "News" unchecked');
    expect(bench.lines.map(({ message }) => message).join('\n')).toMatch(/0 of 1 steps .* it is still off/);
    expect(await bench.hits()).toHaveLength(1);
  });
});

describe('accepted state changes', () => {
  it.each<[how: string, html: string]>([
    ['switches the control immediately', WILLING],
    [
      'switches the control 900 ms later',
      box(`onclick="event.preventDefault(); setTimeout(() => { x.checked = true }, 900)"`),
    ],
    ['replaces the control with a checked one', box(`onclick="this.outerHTML = '<input type=checkbox id=x checked>'"`)],
    ['navigates to another document', box(`onclick="location.href = '/empty'"`)],
    ['removes the control', box(`onclick="this.parentElement.remove()"`)],
    [
      'closes the list that contains the option',
      `<ul role="listbox" id="list"><li role="option" id="x" onclick="list.hidden = true">Large</ul>`,
    ],
    ['checks an indeterminate checkbox', `${box('')}<script>x.indeterminate = true</script>`],
  ])('succeeds when the page %s', async (_how, html) => {
    bench.server.page('/empty', '<title>Empty</title>');
    await bench.open(html, path);
    expect(await act('check')).toMatchObject({ success: true });
  });
});

/** A tree whose items show the state of the box in them. Clicks on a box switch it. */
const tree = (isOn: boolean, rest = ''): string =>
  `<ul role="tree" aria-multiselectable="true"><li role="treeitem" aria-selected="${isOn}" id="item"><span>
    <span role="checkbox" id="x" style="display: inline-block; width: 14px; height: 14px; border: 1px solid"></span> Pear</span></ul>
  ${COUNTED}<script>x.onclick = () => { item.setAttribute('aria-selected', item.ariaSelected !== 'true'); ${rest} }</script>`;

describe('box without aria-checked', () => {
  it.each<[method: string, isOn: boolean, clicks: number]>([
    ['check', false, 1],
    ['check', true, 0],
    ['uncheck', true, 1],
    ['uncheck', false, 0],
  ])('reads the state of its item for %s, when it is %s', async (method, isOn, clicks) => {
    await bench.open(tree(isOn), path);
    expect(await act(method)).toMatchObject({ success: true });
    expect(await bench.driver.context.pages()[0]?.evaluate('item.ariaSelected')).toBe(String(method === 'check'));
    expect(await bench.hits()).toHaveLength(clicks);
  });

  it('does not click for uncheck if nothing shows the state', async () => {
    await bench.open(`<div role="checkbox" tabindex="0" id="x">Dark</div>${COUNTED}`, path);
    await expect(act('uncheck')).rejects.toThrow(
      /^Cannot uncheck <div#x> \(checkbox "Dark"\): the page does not say whether it is on: it has no aria-checked/,
    );
    expect(await bench.hits()).toHaveLength(0);
  });

  it('checks a box that gets aria-checked only while it is on', async () => {
    await bench.open(
      `<div role="checkbox" tabindex="0" id="x" onclick="this.ariaChecked = 'true'">Dark</div>${COUNTED}`,
      path,
    );
    expect(await act('check')).toMatchObject({ success: true });
  });
});
