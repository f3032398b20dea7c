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
  'page title': `document.title = long`,
  'aria-label': `button.ariaLabel = long`,
  'aria-description': `button.ariaDescription = long`,
  'element title': `button.title = long`,
  'button text': `button.textContent = long`,
  'field placeholder': `field.placeholder = long`,
  'field value': `field.value = long`,
  'text area value': `area.value = long`,
  'image alt text': `picture.alt = long`,
  'option label': `choice.add(new Option(long))`,
  'list of ten option labels': `for (let i = 0; i < 10; i += 1) choice.add(new Option(i + long.slice(0, 300_000)))`,
  'fieldset legend': `legend.textContent = long`,
  paragraph: `words.textContent = long`,
  'table cell': `cell.textContent = long`,
  'link URL': `link.href = '/' + long.replaceAll(' ', '')`,
  'aria-label in a shadow root': `host.attachShadow({ mode: 'open' }).innerHTML = '<button>x</button>'; host.shadowRoot.firstChild.ariaLabel = long`,
  'aria-label in a closed shadow root': `host.attachShadow({ mode: 'closed' }).append(Object.assign(document.createElement('button'), { ariaLabel: long }))`,
  'aria-label in a frame': `frame.contentDocument.body.innerHTML = '<button>x</button>'; frame.contentDocument.body.firstChild.ariaLabel = long`,
  'frame title': `frame.title = long; frame.contentDocument.title = long`,
  'frame name': `frame.name = long.slice(0, 100_000)`,
  'page of 1,000 different elements': `for (let i = 0; i < 1000; i += 1) { const tag = ['p', 'h2', 'button', 'a', 'b', 'ul'][i * i % 6]; const part = document.createElement(tag); part.textContent = 'Part ' + i + ' of the page ' + Math.sqrt(i); part.href = '/' + i; let box = document.body; for (let deep = 0; deep < i % 7; deep += 1) box = box.appendChild(document.createElement('section')); box.setAttribute('aria-label', 'Section ' + i); box.append(part); }`,
  'page of 40 frames': `for (let i = 0; i < 40; i += 1) { const one = document.body.appendChild(document.createElement('iframe')); one.contentDocument.body.innerHTML = ('<h2>Part ' + i + '</h2><button>Press ' + i + '</button><p>Words of ' + i + '</p><input><a href="/x' + i + '">Away</a>').repeat(4); }`,
  'live region alert': `setTimeout(() => { alarm.textContent = long })`,
  'validation message': `field.setCustomValidity(long); field.reportValidity()`,
} as const;

/** Texts that are bounded as another one that is tried on every change: the name or text of an element is any of these. */
const NIGHTLY: readonly string[] = [
  'aria-description',
  'element title',
  'field placeholder',
  'text area value',
  'image alt text',
  'fieldset legend',
  'aria-label in a shadow root',
  'frame title',
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

  describe.each(rows(attacks.filter(isDaily), others))('oversized %s', (_what, script) => {
    beforeAll(async () => {
      await browser.page.goto(`${browser.server.origin}/`);
      await browser.page.evaluate(`{ const long = 'words '.repeat(${wordCount}); ${script} }`);
      model.requests.length = 0;
    });

    it('keeps the prompts of act(), observe() and extract() within the token budget', async () => {
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

    it('keeps the snapshot within its budget, and within `PAGE_BOUNDS` without one', async () => {
      const folded = await browser.page.snapshot({ tokenBudget: BUDGET });
      expect(folded.text.length).toBeLessThan(BUDGET * 8);
      const whole = await browser.page.snapshot({ tokenBudget: Infinity });
      expect(whole.text.length).toBeLessThan(PAGE_BOUNDS.pageText);
      expect((await browser.page.title()).length).toBeLessThanOrEqual(PAGE_BOUNDS.title + 1);
    });
  });
}
