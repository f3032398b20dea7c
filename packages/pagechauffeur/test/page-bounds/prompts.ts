import { beforeAll, describe, expect, it } from 'vitest';
import { PAGE_BOUNDS } from '../../src/page-bounds.ts';
import type { ModelRequest } from '../../src/model/model-client.ts';
import { ScriptedModel } from '../../src/testing.ts';
import { rows } from '../support/nightly-rows.ts';
import { useBrowser } from '../support/use-browser.ts';

const BUDGET = 2000;
/** Rules, question, heading and schema around a page in a prompt, in characters. */
const AROUND_THE_PAGE = 12_000;
/** Ordinary English has about four characters to a token, the words below have no more than eight. */
const MAX_CHARACTERS = BUDGET * 8 + AROUND_THE_PAGE;

/** An extraction reads eight budgets at once, since what is folded away cannot be read off. */
const MAX_CHARACTERS_OF_EXTRACT = 8 * BUDGET * 8 + AROUND_THE_PAGE;

function lengthOf({ messages }: ModelRequest): number {
  return messages.reduce((sum, { text }) => sum + text.length, 0);
}

/** What a page does with a long text. */
const ATTACKS = {
  'the title of the page': `document.title = long`,
  'an aria-label': `button.ariaLabel = long`,
  'an aria-description': `button.ariaDescription = long`,
  'the title of an element': `button.title = long`,
  'the text of a button': `button.textContent = long`,
  'the placeholder of a field': `field.placeholder = long`,
  'the value of a field': `field.value = long`,
  'the value of a text area': `area.value = long`,
  'the alternative text of a picture': `picture.alt = long`,
  'the label of an option': `choice.add(new Option(long))`,
  'ten labels of options': `for (let i = 0; i < 10; i += 1) choice.add(new Option(i + long.slice(0, 300_000)))`,
  'the label of a group of fields': `legend.textContent = long`,
  'plain text': `words.textContent = long`,
  'a cell of a table': `cell.textContent = long`,
  'an address of a link': `link.href = '/' + long.replaceAll(' ', '')`,
  'an element in a shadow root': `host.attachShadow({ mode: 'open' }).innerHTML = '<button>x</button>'; host.shadowRoot.firstChild.ariaLabel = long`,
  'an element in a closed shadow root': `host.attachShadow({ mode: 'closed' }).append(Object.assign(document.createElement('button'), { ariaLabel: long }))`,
  'an element in a frame': `frame.contentDocument.body.innerHTML = '<button>x</button>'; frame.contentDocument.body.firstChild.ariaLabel = long`,
  'the title of a frame': `frame.title = long; frame.contentDocument.title = long`,
  'the name of a frame': `frame.name = long.slice(0, 100_000)`,
  'a thousand elements that are not alike': `for (let i = 0; i < 1000; i += 1) { const tag = ['p', 'h2', 'button', 'a', 'b', 'ul'][i * i % 6]; const part = document.createElement(tag); part.textContent = 'Part ' + i + ' of the page ' + Math.sqrt(i); part.href = '/' + i; let box = document.body; for (let deep = 0; deep < i % 7; deep += 1) box = box.appendChild(document.createElement('section')); box.setAttribute('aria-label', 'Section ' + i); box.append(part); }`,
  'forty frames of many things': `for (let i = 0; i < 40; i += 1) { const one = document.body.appendChild(document.createElement('iframe')); one.contentDocument.body.innerHTML = ('<h2>Part ' + i + '</h2><button>Press ' + i + '</button><p>Words of ' + i + '</p><input><a href="/x' + i + '">Away</a>').repeat(4); }`,
  'an alert that a live region announces': `setTimeout(() => { alarm.textContent = long })`,
  'a message of validation': `field.setCustomValidity(long); field.reportValidity()`,
} as const;

/** Texts that are bounded as another one that is tried on every change: the name or text of an element is any of these. */
const NIGHTLY: readonly string[] = [
  'an aria-description',
  'the title of an element',
  'the placeholder of a field',
  'the value of a text area',
  'the alternative text of a picture',
  'the label of a group of fields',
  'an element in a shadow root',
  'the title of a frame',
];
const isDaily = ([what]: readonly [string, string]): boolean => !NIGHTLY.includes(what);
const attacks = Object.entries(ATTACKS);
const others = attacks.filter((attack) => !isDaily(attack));

/** Tests prompts and snapshots of pages with a text of so many words. */
export function testLongTexts(wordCount: number): void {
  const model = new ScriptedModel(({ verb }) => {
    if (verb === 'observe') return { elements: [] };
    return verb === 'extract'
      ? { extraction: 'nothing' }
      : { action: null, twoStep: false, reason: 'none', candidates: [] };
  });
  const browser = useBrowser({ llmClient: model, snapshot: { tokenBudget: BUDGET } });

  beforeAll(() => {
    browser.server.page(
      '/',
      `<!doctype html><title>Shop</title><main><button id="button">Save</button><input id="field" aria-label="Name">
    <textarea id="area" aria-label="Notes"></textarea><img id="picture" alt="Mug" src="data:image/gif;base64,R0lGODlhAQABAAAAACw=" width="40" height="40">
    <select id="choice" aria-label="Colour"><option>Red</option></select><fieldset><legend id="legend">Terms</legend><input type="checkbox"></fieldset>
    <p id="words">Words</p><table><tr><th>Size</th></tr><tr><td id="cell">L</td></tr></table><a id="link" href="/">Home</a>
    <div id="host"></div><div role="alert" id="alarm"></div><iframe id="frame"></iframe></main>`,
    );
  });

  describe.each(rows(attacks.filter(isDaily), others))('with %s without end', (_what, script) => {
    beforeAll(async () => {
      await browser.page.goto(`${browser.server.origin}/`);
      await browser.page.evaluate(`{ const long = 'words '.repeat(${wordCount}); ${script} }`);
      model.requests.length = 0;
    });

    it('no prompt of act, observe and extract goes beyond the budget', async () => {
      const { driver } = browser;
      await driver.act('press the button that saves');
      await driver.observe('the button that saves');
      expect(model.requests.length).toBeGreaterThan(1);
      for (const request of model.requests) expect(lengthOf(request)).toBeLessThan(MAX_CHARACTERS);
      model.requests.length = 0;
      await driver.extract('what the button says');
      expect(model.requests.length).toBeGreaterThan(0);
      for (const request of model.requests) expect(lengthOf(request)).toBeLessThan(MAX_CHARACTERS_OF_EXTRACT);
    });

    it('the snapshot keeps to its budget, and without one to the bounds', async () => {
      const folded = await browser.page.snapshot({ tokenBudget: BUDGET });
      expect(folded.text.length).toBeLessThan(BUDGET * 8);
      const whole = await browser.page.snapshot({ tokenBudget: Infinity });
      expect(whole.text.length).toBeLessThan(PAGE_BOUNDS.pageText);
      expect((await browser.page.title()).length).toBeLessThanOrEqual(PAGE_BOUNDS.title + 1);
    });
  });
}
