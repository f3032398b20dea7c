import { afterEach, beforeEach, describe, expect, it, type MockInstance, vi } from 'vitest';
import { World } from '../../src/cdp/world.ts';
import { type ActResult, DriverClosedError } from '../../src/index.ts';
import { ScriptedModel } from '../../src/testing.ts';
import { done, step } from '../agent/steps-for-test.ts';
import { rows } from '../support/nightly-rows.ts';
import { useBrowser } from '../support/use-browser.ts';

const browser = useBrowser({
  routes: {
    '/cities': (_, response) => void setTimeout(() => response.end('Berlin'), 200),
    '/plain': '<label>City <input id=city></label>',
  },
});
let calls: MockInstance;

beforeEach(() => {
  calls = vi.spyOn(World.prototype, 'start');
});

afterEach(() => calls.mockRestore());

/** Whether the page was asked what text has brought. */
function hasWaited(): boolean {
  return calls.mock.calls.some(([method]) => method === 'awaitSuggestions');
}

function open(html: string): Promise<unknown> {
  return browser.page.goto(browser.server.page('/', `<!doctype html><title>City</title>${html}`));
}

function type(method: 'fill' | 'type' = 'fill', selector = '#city'): Promise<ActResult> {
  return browser.driver.act({ selector, method, arguments: ['Ber'], description: 'the city' });
}

/** A script that shows a list so many ms after the last of these events. */
function suggests(target: string, event = 'input', ms = 300): string {
  return `<script>let timer; ${target}.addEventListener('${event}', () => { clearTimeout(timer); timer = setTimeout(show, ${ms}) });
    function show() { list.innerHTML = '<li>Berlin<li>Bern'; list.hidden = false }</script>`;
}

const FIELD = '<label>City <input id=city></label>';
const LIST = '<ul id=list hidden></ul>';

describe('suggestions that appear after typing', () => {
  it.each([
    ['from an `input` listener of the field', FIELD + LIST + suggests('city')],
    ['from a `keyup` listener of the field', FIELD + LIST + suggests('city', 'keyup', 600)],
    [
      'from an `oninput` attribute',
      `<input id=city oninput="setTimeout(show, 300)" aria-label=City>${LIST}${suggests('document', 'x')}`,
    ],
    ['for a combobox, from a listener on the document', `<input id=city role=combobox>${LIST}${suggests('document')}`],
    ['for a field with `aria-autocomplete`', `<input id=city aria-autocomplete=list>${LIST}${suggests('document')}`],
    ['for a field inside a combobox', `<div role=combobox><input id=city></div>${LIST}${suggests('document')}`],
    [
      'after a button to clear the field',
      `${FIELD}<p id=x></p>${LIST}${suggests('city')}<script>city.addEventListener('input', () => { x.innerHTML = '<button>×</button>' })</script>`,
    ],
    [
      'after a style change of other content',
      `${FIELD}<p id=x></p>${LIST}${suggests('city', 'input', 700)}<script>city.addEventListener('input', () => {
        setTimeout(() => { x.style.color = 'red' }, 200) })</script>`,
    ],
    [
      'from a server, 900 ms after typing',
      `${FIELD}${LIST}<script>city.oninput = () => setTimeout(async () => {
        list.innerHTML = '<li>' + await (await fetch('/cities')).text(); list.hidden = false }, 900)</script>`,
    ],
  ])('waits for suggestions %s', async (_what, html) => {
    const methods: readonly ('fill' | 'type')[] = html.includes('keyup') ? ['fill', 'type'] : rows(['fill'], ['type']);
    for (const method of methods) {
      await open(html);
      await type(method);
      expect(await browser.page.locator('#list').innerText()).toContain('Berlin');
    }
  });

  it('reports `opened` for a listbox of suggestions', async () => {
    await open(`${FIELD}<div id=list role=listbox aria-label=Cities hidden></div>
      <script>city.oninput = () => setTimeout(() => { list.innerHTML = '<div role=option>Berlin</div>'; list.hidden = false }, 300)</script>`);
    const result = await type();
    expect(result).toMatchObject({ effect: 'opened', message: expect.stringContaining('listbox "Cities" opened') });
  });

  it('waits for suggestions in a frame and in a shadow root', async () => {
    await open(`<iframe srcdoc='${(FIELD + LIST + suggests('city')).replaceAll("'", '&#39;')}'></iframe>`);
    await type('fill', 'iframe >> #city');
    expect(await browser.page.frameLocator('iframe').locator('#list').innerText()).toContain('Berlin');
    await open(`<div id=host></div>${LIST}<script>host.attachShadow({ mode: 'open' }).innerHTML = '<input id=city>'</script>
      ${suggests("host.shadowRoot.querySelector('input')")}`);
    await type();
    expect(await browser.page.locator('#list').innerText()).toContain('Berlin');
  });

  it('waits for options of a datalist', async () => {
    await open(`<input id=city list=cities><datalist id=cities></datalist><script>document.addEventListener('input', () => {
      setTimeout(() => { cities.innerHTML = '<option>Berlin' }, 300) })</script>`);
    await type();
    expect(await browser.page.locator('option').count()).toBe(1);
  });
});

describe('typing without suggestions', () => {
  it.each([
    ['a plain field', FIELD],
    [
      'a plain field on a page with other listeners',
      `${FIELD}<input id=other oninput="1"><script>document.onkeyup = () => {}</script>`,
    ],
    ['a plain editor', '<div id=city contenteditable>Old</div>'],
    ['a date field', '<input id=city type=date oninput="1">'],
  ])('does not wait after typing into %s', async (_what, html) => {
    await open(html);
    const value = html.includes('date') ? '2027-05-03' : 'Ber';
    await browser.driver.act({ selector: '#city', method: 'fill', arguments: [value], description: 'the city' });
    expect(hasWaited()).toBe(false);
  });

  it('does not wait after locator.fill()', async () => {
    await open(FIELD + LIST + suggests('city'));
    await browser.page.locator('#city').fill('Ber');
    expect(hasWaited()).toBe(false);
  });

  it('does not wait when typing navigates the page', async () => {
    await open(`${FIELD}<script>city.oninput = () => { location.href = '/plain' }</script>`);
    expect(await type()).toMatchObject({ effect: 'navigated' });
    expect(hasWaited()).toBe(false);
  });
});

describe('suggestions in an agent step', () => {
  const html = `${FIELD}<label>Street <input></label>${LIST}${suggests('city')}`;
  const fill = { tool: 'fill', on: { name: 'City' }, input: { text: 'Ber' } };

  it.each([
    ['waits for suggestions after the last call of a step', [fill], true],
    [
      'waits for suggestions before keys for the same field',
      [fill, { tool: 'press', on: { name: 'City' }, input: { keys: 'ArrowDown' } }],
      true,
    ],
    ['does not wait before it fills another field', [fill, { ...fill, on: { name: 'Street' } }], false],
    ['does not wait when it submits the text', [{ ...fill, input: { text: 'Ber', submit: true } }], false],
  ])('%s', async (_what, written, waits) => {
    await open(html);
    const model = new ScriptedModel([step(...written), done(), done()]);
    await browser.driver.agent({ model }).execute({ instruction: 'Fill it in', page: browser.page });
    expect(hasWaited()).toBe(waits);
  });
});

it('throws a DriverClosedError when the page closes while act() waits for suggestions', async () => {
  await open(`<input id=city role=combobox>`);
  const page = await browser.driver.context.newPage(browser.page.url());
  const acting = browser.driver.act(
    { selector: '#city', method: 'fill', arguments: ['Ber'], description: 'the city' },
    { page },
  );
  await vi.waitFor(() => expect(hasWaited()).toBe(true));
  await page.close();
  await expect(acting).rejects.toThrow(DriverClosedError);
});
