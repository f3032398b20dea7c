import { beforeAll, expect, test } from 'vitest';
import { useBrowser } from '../support/use-browser.ts';

const browser = useBrowser();

/** Styles of a block under which nobody can read the text in it. */
const hidden: readonly string[] = [
  'opacity: 0',
  'opacity: 0.01',
  'filter: opacity(0)',
  'visibility: hidden',
  'content-visibility: hidden',
  'height: 0; overflow: hidden',
  'max-height: 0; overflow: hidden',
  'width: 1px; height: 1px; overflow: hidden; position: absolute',
  'position: absolute; left: -9999px',
  'position: absolute; top: -500px; left: 0',
  'position: absolute; right: 110vw',
  'position: relative; left: -9999px',
  'position: fixed; top: -500px',
  'position: fixed; left: 110vw',
  'margin-left: -9999px',
  'transform: translateX(-9999px)',
  'translate: -9999px',
  'transform: scale(0)',
  'scale: 0',
  'transform: rotateX(90deg)',
  'text-indent: -9999px',
  'text-indent: -9999px; overflow: hidden',
  'font-size: 0',
  'font-size: 1px',
  'color: transparent',
  'color: rgba(0, 0, 0, 0.02)',
  '-webkit-text-fill-color: transparent',
  'color: #fff',
  'color: #fefefe',
  'color: #123456; background: #123456',
  'clip: rect(0, 0, 0, 0); position: absolute',
  'clip-path: inset(100%)',
  'clip-path: circle(0)',
  'clip-path: polygon(0 0, 0 0, 0 0)',
];
/** Styles that look alike and leave the text to be read. */
const seen: readonly string[] = [
  'opacity: 0.5',
  'height: 0',
  'position: relative; left: 10px; z-index: 1',
  'margin-left: -5px',
  'transform: translateX(5px)',
  'text-indent: 2em',
  'font-size: 8px',
  'color: #fff; background: #000',
  'color: #777',
  'color: #fff; background: linear-gradient(#000, #333)',
  'color: transparent; background: linear-gradient(#000, #333) text',
  'color: #fff; position: absolute; top: 40px',
  'clip-path: inset(1px)',
  'filter: opacity(0.9)',
];

function page(styles: readonly string[], isBySheet: boolean): string {
  const rules = styles.map((style, index) => `.s${index} { ${style} }`).join('\n');
  const block = (style: string, index: number): string =>
    `<p ${isBySheet ? `class="s${index}"` : `style="${style}"`}>Words number ${index} <a href="/">and a link</a></p>`;
  const sheet = isBySheet ? `<style>${rules}</style>` : '';
  return `<!doctype html><title>Texts</title>${sheet}<body>${styles.map(block).join('')}<p>The end</p>`;
}

const texts = new Map<string, string>();

beforeAll(async () => {
  for (const isBySheet of [false, true]) {
    for (const [kind, styles] of Object.entries({ hidden, seen })) {
      await browser.page.goto(browser.server.page('/', page(styles, isBySheet)), { waitUntil: 'load' });
      texts.set(`${kind} ${isBySheet}`, (await browser.page.snapshot()).text);
    }
  }
});

const ways = [
  ['of its own', false],
  ['of a style sheet', true],
] as const;

test.each(ways.flatMap(([way, isBySheet]) => hidden.map((style, index) => ({ style, way, isBySheet, index }))))(
  'text under the style "$style" $way is not told',
  ({ isBySheet, index }) => {
    expect(texts.get(`hidden ${isBySheet}`)).toContain('The end');
    expect(texts.get(`hidden ${isBySheet}`)).not.toContain(`Words number ${index} `);
  },
);

test.each(ways.flatMap(([way, isBySheet]) => seen.map((style, index) => ({ style, way, isBySheet, index }))))(
  'text under the style "$style" $way is told',
  ({ isBySheet, index }) => {
    expect(`${texts.get(`seen ${isBySheet}`)} `).toMatch(new RegExp(`Words number ${index}\\s`));
  },
);

test('white words on a picture that is stacked behind them are told', async () => {
  const hero =
    '<div style="display: grid"><img alt="" style="grid-area: 1 / 1" width="300" height="100" src="data:image/gif;base64,R0lGODlhAQABAIAAAAUEBAAAACwAAAAAAQABAAACAkQBADs=">' +
    '<h1 style="grid-area: 1 / 1; color: #fff">Words on it</h1></div><section style="position: relative"><h2 style="color: #fff">Words in it</h2></section>';
  await browser.page.goto(browser.server.page('/', hero), { waitUntil: 'load' });
  const { text } = await browser.page.snapshot();
  expect(text).toContain('Words on it');
  expect(text).toContain('Words in it');
});

test('the value of a password is never told, its states are', async () => {
  const body =
    '<input type="password" aria-label="Secret" value="hunter2" required><input aria-label="Name" value="Ann" readonly>' +
    '<input type="checkbox" aria-label="Tick" checked><button aria-expanded="false" disabled>More</button>';
  await browser.page.goto(browser.server.page('/', body), { waitUntil: 'load' });
  expect((await browser.page.snapshot()).text.split('\n')).toEqual([
    'e1 textbox "Secret" required',
    'e2 textbox "Name" = "Ann" readonly',
    'e3 checkbox "Tick" checked',
    'e4 button "More" disabled collapsed',
  ]);
});
