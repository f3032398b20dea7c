import { expect, test } from 'vitest';
import { useBrowser } from '../support/use-browser.ts';

const browser = useBrowser();

/** With a rule like this, no two elements are known to have the same style, so that of each is read. */
const scoped = '@scope (x-none) { a { color: red } }';

const tags = 'div p ul li ol table td tr a b em span i mark code small sup button label section nav h2 dl dd pre'.split(
  ' ',
);
const attributes = [
  'bgcolor="black"',
  'bgcolor="white"',
  'hidden',
  'style="color: #fff"',
  'style="opacity: 0"',
  'style="position: relative; top: -30px"',
  'style="display: inline"',
  'role="group"',
  'title="About"',
  'tabindex="0"',
  'aria-hidden="true"',
  'dir="rtl"',
  'align="left"',
];
// No declaration moves text sideways: the text after it would move too, and only a separate style notices that.
const declarations = [
  'color: #fff',
  'color: #000',
  'color: inherit',
  'color: rgba(255, 255, 255, 0.9)',
  'color: oklch(1 0 0)',
  'color: transparent',
  'color: revert',
  'color: initial',
  'background: #fff',
  'background: #000',
  'background: none',
  'background: transparent',
  'background-color: inherit',
  'background: linear-gradient(#000, #333)',
  'background: rgba(0, 0, 0, 0.99)',
  '-webkit-text-fill-color: #fff',
  'font-size: 1px',
  'font-size: 2px',
  'font-size: 0.5em',
  'font-size: 50%',
  'font-size: 0.6rem',
  'font-size: smaller',
  'font-size: inherit',
  'font: inherit',
  'font: 1px serif',
  'text-shadow: 0 0 2px #000',
  '-webkit-text-stroke: 1px #000',
  'text-transform: uppercase',
  'display: none',
  'display: block',
  'display: inline',
  'display: flex',
  'display: contents',
  'display: inline-block',
  'visibility: hidden',
  'visibility: visible',
  'opacity: 0',
  'opacity: 0.01',
  'opacity: 0.5',
  'position: relative',
  'position: absolute; top: 0; left: 0',
  'position: absolute; top: 0; left: 0; width: 600px; height: 300px; background: #fff',
  'position: relative; top: -40px; height: 80px; background: #eee',
  'position: fixed; top: 0; left: 0; width: 300px; height: 30px; background: #fff',
  'position: absolute; left: -9999px',
  'z-index: 2',
  'z-index: -1',
  'float: left',
  'transform: translateX(-9999px)',
  'transform: translateY(-40px)',
  'transform: scale(0)',
  'overflow: hidden',
  'overflow: hidden; height: 0',
  'overflow: hidden; width: 1px; height: 1px',
  'clip-path: inset(100%)',
  'filter: opacity(0)',
  'content-visibility: hidden',
  'zoom: 0.05',
  'cursor: pointer',
  'all: unset',
  'all: inherit',
];
/** Selectors about siblings, content, attributes and states. */
const selectors = [
  '.c + *',
  '.c ~ .d',
  '.c:first-child',
  '.c > :nth-child(2)',
  '.c :last-of-type',
  '.d:empty',
  '.c:not(.d)',
  '.c:not(:first-child)',
  ':is(.c, .d) > *',
  '.c:has(.d)',
  '.c:has(+ .d) *',
  '[title]',
  '.c[role="group"] *',
  '[style*="color"]',
  '[id^="i1"]',
  'section:hover *',
  ':focus-within .d',
  '.c:focus',
  ':root .c',
  'a:link',
  ':dir(rtl)',
  ':lang(en) .c',
];
const conditions = ['', '@media all', '@supports (color: red)', '@layer some', '@container (min-width: 0)'];

/** Numbers that are the same for the same seed. */
function numbersFrom(seed: number): (end: number) => number {
  let state = seed;
  return (end) => {
    state = (Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x9e3779b9) | 0;
    const mixed = Math.imul(state ^ (state >>> 12), 0x297a2d39);
    return ((mixed ^ (mixed >>> 15)) >>> 0) % end;
  };
}

/** A random page: nested elements of few kinds, so that many share a style, and rules for some of them. */
function pageOf(seed: number): { readonly rules: string; readonly body: string } {
  const next = numbersFrom(seed);
  const one = <T>(list: readonly T[]): T => list[next(list.length)] as T;
  const someTags = [one(tags), one(tags), one(tags)];
  let count = 0;
  const element = (depth: number): string => {
    count += 1;
    const tag = one(someTags);
    const own = next(8) === 0 ? ` ${one(attributes)}` : '';
    const inner = Array.from({ length: depth > 4 ? 0 : next(4) }, () => element(depth + 1)).join(' ');
    return inTable(
      tag,
      `<${tag} id="i${next(10)}" class="c${next(2)} d${next(2)}"${own}>Text ${count} ${inner}</${tag}>`,
    );
  };
  const rule = (): string => {
    const [first, second] = [`.c${next(2)}`, `.d${next(2)}`];
    const steady = [
      first,
      second,
      `${first} ${second}`,
      `${first} > *`,
      one(someTags),
      `#i${next(10)}`,
      `#i${next(10)} *`,
    ];
    const selector = next(2) === 0 ? one(steady) : one(selectors).replaceAll('.c', first).replaceAll('.d', second);
    const declared = `${one(declarations)}; ${next(2) === 0 ? one(declarations) : ''}`;
    const inner =
      next(4) === 0 ? `${one([second, '&:first-child', '> *', `${second} &`])} { ${one(declarations)} }` : '';
    const text = `${selector} { ${declared}; ${inner} }`;
    const condition = one(conditions);
    return condition === '' ? text : `${condition} { ${text} }`;
  };
  const body = Array.from({ length: 6 }, () => element(0)).join('\n');
  return { rules: Array.from({ length: 1 + next(7) }, rule).join('\n'), body };
}

/** The parser moves content that is not in a cell out of a table. */
function inTable(tag: string, html: string): string {
  if (tag === 'td') return `<table><tr>${html}</table>`;
  if (tag === 'tr') return `<table>${html.replace('>', '><td>')}</table>`;
  return tag === 'table' ? html.replace('>', '><tr><td>') : html;
}

const SEEDS = 60;

test('reads the same text with shared styles as with a separate style for each element', async () => {
  const { page, server } = browser;
  for (let seed = 1; seed <= SEEDS; seed += 1) {
    const { rules, body } = pageOf(seed);
    const type = seed % 3 === 0 ? '' : '<!doctype html>';
    const html = `${type}<title>Styles</title><style>${rules}</style><style id="more"></style><body>${body}<p>The end`;
    await page.goto(server.page('/', html), { waitUntil: 'load' });
    await page.mouse.move(100, 100);
    await page.evaluate(`document.querySelector('[tabindex]')?.focus()`);
    const { text } = await page.snapshot();
    await page.evaluate(`document.querySelector('#more').textContent = ${JSON.stringify(scoped)}`);
    expect(text, `seed ${seed}\n${rules}\n${body}`).toBe((await page.snapshot()).text);
  }
}, 120_000);
