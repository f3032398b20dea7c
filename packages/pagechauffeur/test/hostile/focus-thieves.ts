import type { Page } from '../../src/index.ts';
import type { SharedBrowser } from '../support/use-browser.ts';
import { succeeds } from './succeeds.ts';

const PLACES = ['the page itself', 'a frame of the same process', 'a frame of another process'] as const;
/** Milliseconds between two tries to take the focus, or what makes somebody try. */
const MOMENTS = [0, 11, 37, 'each frame', 'blur', 'keydown', 'a new field'] as const;

/** Fields that take text in different ways. */
const FIELDS = {
  'a password': '<input id="field" type="password">',
  'an e-mail': '<input id="field" type="email">',
  'a search': '<input id="field" type="search">',
  'a text area': '<textarea id="field"></textarea>',
  'an editor': '<div id="field" contenteditable></div>',
  'a field of a component':
    '<div id="host"></div><script>host.attachShadow({ mode: "open" }).innerHTML = `<input id="field">`;</script>',
} as const;

/** Who tries to take the focus from a field, when, and while what is called. */
export interface Theft {
  readonly typing: keyof typeof TYPINGS;
  readonly place: (typeof PLACES)[number];
  readonly moment: (typeof MOMENTS)[number];
  /** Default: a password. */
  readonly field?: keyof typeof FIELDS;
}

/** What was heard where it must not be heard, and how the calls ended. */
export interface Spoils {
  /** All that came to fields, and in events to frames, that text was not meant for. */
  readonly heard: string;
  /** Calls that said they were done. */
  readonly done: number;
  /** Calls after which the field did not hold the text or, if they failed, not a beginning of it. */
  readonly wrong: number;
}

type Typing = (page: Page, text: string) => Promise<unknown>;

/** A call that cannot reach its field fails after this many milliseconds: time for several bursts of keys. */
const timeout = 250;

/** The calls that put text into `#field`. */
const TYPINGS = {
  'locator.fill': (page, text) => page.locator('#field').fill(text, { timeout }),
  'locator.type': (page, text) => page.locator('#field').type(text, { timeout }),
  'locator.press': (page, text) => page.locator('#field').press(text, { timeout }),
} satisfies Readonly<Record<string, Typing>>;
const TYPING_NAMES = Object.keys(TYPINGS) as (keyof typeof TYPINGS)[];

/** Every call, from every place, at every moment. */
export const THEFTS: readonly Theft[] = TYPING_NAMES.flatMap((typing) =>
  PLACES.flatMap((place) => MOMENTS.map((moment) => ({ typing, place, moment }))),
);

/** Every other kind of field, from every place, at the moments that leave the least time. */
export const THEFTS_FROM_FIELDS: readonly Theft[] = (Object.keys(FIELDS) as (keyof typeof FIELDS)[])
  .filter((field) => field !== 'a password')
  .flatMap((field) =>
    TYPING_NAMES.flatMap((typing) =>
      PLACES.flatMap((place) =>
        ([0, 'each frame', 'keydown'] as const).map((moment) => ({ typing, place, moment, field })),
      ),
    ),
  );

/** The page with the advert that `tryToSteal` shows in a frame. */
export function advert(theft: Theft): string {
  return `<!doctype html><title>Advert</title><input id="loot">${thief(theft.moment, theft.place === 'the page itself')}`;
}

/** A script that takes the focus for `loot`, and keeps all that it hears. */
function thief(moment: Theft['moment'], isInPage: boolean): string {
  const starts: Readonly<Record<string, string>> = {
    'each frame': 'const go = () => { take(); requestAnimationFrame(go); }; go();',
    blur: 'loot.onblur = onblur = () => { take(); setTimeout(take); }; take();',
    keydown: '',
    'a new field': '',
  };
  return `<script>
    window.heard = '';
    const take = () => loot.focus();
    for (const type of ['keydown', 'keypress', 'beforeinput', 'textInput', 'input'])
      ${isInPage ? 'loot' : 'window'}.addEventListener(type, ({ key = '', data }) => { heard += (key.length === 1 ? key : '') + (data ?? ''); }, true);
    onmessage = take;
    ${typeof moment === 'number' ? `setInterval(take, ${moment});` : (starts[moment] ?? '')}
  </script>`;
}

/** What only the page can do: tell of a key, or put another field in the place of the one that has the focus. */
function pageScript(place: Theft['place'], moment: Theft['moment']): string {
  const find = "const find = () => document.querySelector('#field') ?? host.shadowRoot.querySelector('#field');";
  const steal =
    place === 'the page itself' ? 'loot.focus()' : `document.querySelector('iframe').contentWindow.postMessage(1, '*')`;
  if (moment === 'keydown') return `${find} find().addEventListener('keydown', () => { ${steal}; });`;
  if (moment !== 'a new field') return '';
  return `setInterval(() => { const old = document.querySelector('#field'); const now = old.cloneNode(); now.value = old.value; old.replaceWith(now); ${steal}; }, 7);`;
}

/** Puts text into a field, each time another one, while somebody takes the focus from it. */
export async function tryToSteal(
  browser: SharedBrowser,
  sameSite: string,
  theft: Theft & { tries: number },
): Promise<Spoils> {
  const { place, moment, typing, tries, field = 'a password' } = theft;
  const { server, page } = browser;
  const isInPage = place === 'the page itself';
  const origin = place === 'a frame of another process' ? server.otherOrigin : sameSite;
  const html = `<!doctype html><title>Shop</title>${FIELDS[field]}
    ${isInPage ? advert(theft) : `<iframe src="${origin}/advert"></iframe>`}<script>${pageScript(place, moment)}</script>`;
  await page.goto(server.page('/shop', html), { waitUntil: 'load' });
  let done = 0;
  let wrong = 0;
  for (let attempt = 0; attempt < tries; attempt += 1) {
    await page.evaluate(`${FIND}; ${EMPTY}`);
    const text = typing === 'locator.press' ? 'k' : `q${attempt}wx yz${attempt}k`;
    const isDone = await succeeds(TYPINGS[typing](page, text), 'LOCATOR', 'TIMEOUT');
    const held = await page.evaluate<string>(`${FIND}; ${HELD}`);
    if (isDone) done += 1;
    if (isDone ? held !== text : !text.startsWith(held)) wrong += 1;
  }
  const frame = isInPage ? page.mainFrame() : page.frames()[1];
  return { heard: String(await frame?.evaluate('heard + loot.value')), done, wrong };
}

// A locator could find a field that the page replaces before the evaluation.
const FIND = "var element = document.querySelector('#field') ?? host.shadowRoot.querySelector('#field')";
const EMPTY = "element.isContentEditable ? (element.textContent = '') : (element.value = '')";
// Editors write spaces at the end of a line as no-break spaces.
const HELD = "(element.value ?? element.textContent).replaceAll('\\u00A0', ' ')";
