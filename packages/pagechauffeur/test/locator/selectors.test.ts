import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Locator, Page } from '../../src/index.ts';
import { failureOf } from '../support/failure-of.ts';
import { openShownPage, type ShownPage } from './shown-page.ts';

const CONTENT = `
  <div id="outer" class="box"><p id="first">First <b id="bold">words</b></p><p id="second" data-n="2">Second</p></div>
  <div id="open-host"><em id="slotted">Slotted</em></div><div id="closed-host"></div>
  <section><template shadowrootmode="closed"><p id="declared">Declared</p><div id="late-host"></div></template></section>
  <form><input name="id" id="field"><input name="parentNode" id="trap"></form>
  <svg id="svg"><g id="g"><a id="svglink" href="#x"><text>Vector</text></a></g></svg>
  <script>
    const open = document.querySelector('#open-host').attachShadow({ mode: 'open' });
    open.innerHTML = '<div id="wrap" class="wrap"><button id="ob" class="in">Open button</button><slot id="slot"></slot></div><div id="inner-host"></div>';
    open.querySelector('#inner-host').attachShadow({ mode: 'closed' }).innerHTML = '<button id="ib" class="in">Inner button</button><p id="ip">Inner</p>';
    document.querySelector('#closed-host').attachShadow({ mode: 'closed' }).innerHTML = '<button id="cb" class="in" title="x">Closed button</button>';
  </script>`;

let shown: ShownPage;
let page: Page;

beforeAll(async () => {
  shown = await openShownPage();
  ({ page } = shown);
  await shown.show(CONTENT);
  await page.locator('text=closed button').waitFor();
  await page.locator('text=inner button').waitFor();
  await page.locator('text=declared').waitFor();
});

afterAll(() => shown?.[Symbol.asyncDispose]());

async function ids(locator: Locator): Promise<(string | null)[]> {
  return Promise.all((await locator.all()).map((one) => one.getAttribute('id')));
}

describe('selector', () => {
  it.each<[string, string[]]>([
    ['.in', ['ob', 'ib', 'cb']],
    ['css=button.in', ['ob', 'ib', 'cb']],
    ['#open-host .in', ['ob', 'ib']],
    ['#open-host > .wrap > button', ['ob']],
    ['#closed-host button[title]', ['cb']],
    ['#inner-host button', ['ib']],
    ['body button:nth-child(1)', ['ob', 'ib', 'cb']],
    ['section p', ['declared']],
    ['.wrap slot', ['slot']],
    ['#slotted', ['slotted']],
    ['p:not(#first, #second)', ['ip', 'declared']],
    ['p:has(b)', ['first']],
    ['#first, #ob', ['first', 'ob']],
    ['svg a', ['svglink']],
    ['input', ['field', 'trap']],
    ['form >> input', ['field', 'trap']],
    ['text=words', ['bold']],
    ['text=first WORDS', ['first']],
    ['text="First words"', ['first']],
    ['text="first words"', []],
    ['text=/^first\\s/i', ['first']],
    ['text=/BUTTON$/i', ['ob', 'ib', 'cb']],
    ['svg >> text=Vector >> xpath=..', ['svglink']],
    ['text=button >> nth=1', ['ib']],
    ['role=button', ['ob', 'ib', 'cb']],
    ['role=button[name="Inner button"]', ['ib']],
    ['role=button[name="inner" i]', ['ib']],
    ['role=button[name=/^(open|closed)/i]', ['ob', 'cb']],
    ['xpath=//p[@data-n="2"]', ['second']],
    ['//p[b]', ['first']],
    ['(//p)[2]', ['second']],
    ['//div[@id="outer"]/p[last()]', ['second']],
    ['//p/b/..', ['first']],
    ['//b/ancestor::div', ['outer']],
    ['//p[contains(., "ord")]', ['first']],
    ['//p | //em', ['first', 'second', 'slotted']],
    ['//div[@id="open-host"]//button', ['ob', 'ib']],
    ['//div[@id="closed-host"]//button[@title="x"]', ['cb']],
    ['//section//p[text()="Declared"]', ['declared']],
    ['//div[@id="inner-host"]//p[position()=1]', ['ip']],
    ['#outer >> p', ['first', 'second']],
    ['#outer >> xpath=//p[2]', ['second']],
    ['#outer >> ./p[1]', ['first']],
    ['#open-host >> text=inner', ['ib', 'ip']],
    ['#open-host >> role=button >> nth=-1', ['ib']],
    ['div >> p >> b', ['bold']],
    ['section >> text=declared', ['declared']],
    ['placeholder=none', []],
    ['#outer >> p >> nth=5', []],
  ])('resolves %s to the expected elements', async (selector, expected) => {
    expect(await ids(page.locator(selector))).toEqual(expected);
  });

  it.each<[string, string, string]>([
    [
      'an axis that leaves the shadow root',
      '//div[@id="closed-host"]//button[ancestor::section]',
      'depends on other elements',
    ],
    ['a function call', 'xpath=count(//p)', 'returns a value'],
    ['an unclosed bracket', '//p[1', ''],
    ['an unknown pseudo-class', 'p:nothing-like-that', 'not a valid selector'],
    ['an empty part', 'p >> >> b', 'empty part'],
    ['an empty text selector', 'text=', 'needs the text'],
    ['an invalid regular expression', 'text=/(/', 'regular expression'],
    ['a role with an unknown state', 'role=button[colour]', 'not supported'],
    ['an nth that is not a number', 'p >> nth=two', 'whole number'],
    ['a frame part at the start', 'frame=content >> p', 'before it'],
    ['a has selector without quotes', 'p >> has=b', 'cannot be parsed'],
  ])('rejects %s and names the fault', async (_title, selector, words) => {
    const failure = await failureOf(page.locator(selector).count());
    expect(failure).toMatchObject({ message: expect.stringContaining(words) });
    expect((failure as { code?: string }).code).toMatch(/^(INVALID_ARGUMENT|XPATH_RESOLUTION)$/);
    // What cannot be looked for now may be there in a moment: an action says so at its limit.
    expect(await failureOf(page.locator(selector).click({ timeout: 500 }))).toMatchObject({
      code: expect.stringMatching(/^(INVALID_ARGUMENT|XPATH_RESOLUTION)$/),
    });
  });

  it('clicks a button in an open or closed shadow root that is attached later', async () => {
    await shown.show('<div id="host"></div>');
    for (const mode of ['open', 'closed']) {
      await page.evaluate(
        `setTimeout(() => { const host = document.createElement('div'); document.body.append(host);
          host.attachShadow({ mode: '${mode}' }).innerHTML = '<button class="${mode}">Late</button>'; }, 60)`,
      );
      await page.locator(`button.${mode}`).click();
      expect(await page.locator(`button.${mode}`).textContent()).toBe('Late');
    }
    await shown.show(CONTENT);
  });

  it('waitForSelector() ignores shadow roots with `pierceShadow: false`', async () => {
    expect(await page.waitForSelector('#ob', { state: 'attached' })).toBe(true);
    expect(await failureOf(page.waitForSelector('#ob', { pierceShadow: false, timeout: 300 }))).toMatchObject({
      code: 'TIMEOUT',
    });
    expect(await page.waitForSelector('#first', { pierceShadow: false })).toBe(true);
    expect(await page.waitForSelector('#ob', { pierceShadow: false, state: 'detached' })).toBe(true);
  });
});
