import { expect, test } from 'vitest';
import { useBrowser } from '../support/use-browser.ts';

const browser = useBrowser();

async function textOf(css: string, body: string): Promise<string> {
  const html = `<!doctype html><title>Boxes</title><style>.x { margin: 0 } .a { position: relative; z-index: 0 } ${css}</style><body>${body}`;
  await browser.page.goto(browser.server.page('/', html), { waitUntil: 'load' });
  return (await browser.page.snapshot()).text;
}

const fill = 'content: ""; position: absolute; inset: 0; z-index: -1';

/** Rules of boxes that are behind no text in the color of the page. `near`: not even behind that of their element. */
const apart: readonly (readonly [what: string, css: string, where?: 'near'])[] = [
  ['a badge', '.x::after { content: "New"; background: #0a0; color: #fff }', 'near'],
  ['a bullet', '.x::before { content: ""; display: inline-block; width: 6px; height: 6px; background: #999 }', 'near'],
  ['an icon', '.x::before { content: ""; display: inline-block; width: 20px; height: 20px; background: red }', 'near'],
  ['an image', '.x::before { content: url("data:image/svg+xml,<svg/>") }', 'near'],
  ['a box that is not rendered', '.x::after { content: "-"; display: none; background: red }', 'near'],
  ['a block', '.x::after { content: ""; display: block; height: 20px; background: red }', 'near'],
  [
    'a centered line',
    '.a::after { content: ""; position: absolute; top: 50%; transform: translateY(-50%); width: 90px; height: 1px; background: red }',
    'near',
  ],
  ['a gradient', `.a::before { ${fill}; background: linear-gradient(red, blue) }`],
  ['a moved block', `.a::before { ${fill}; transform: translate(10px, -10px); background: navy }`],
  ['a rotated block', `.a::before { ${fill}; rotate: 20deg; background: navy }`],
  ['a shadow', '.x::before { content: ""; display: inline-block; box-shadow: 0 0 0 50px navy }'],
  [
    'a block with a negative margin',
    '.x::before { content: ""; display: block; height: 30px; margin-bottom: -30px; background: navy }',
  ],
  ['a block of a scaled page', `body { scale: 0.5; transform-origin: 0 0 } .a::before { ${fill}; background: navy }`],
];

test.each(apart)('omits white text apart from generated boxes: %s', async (_what, css = '', where) => {
  const far = '<p style="color: #fff">Words</p><div style="height: 2500px"></div>';
  expect(await textOf(css, `${far}<p class="x a">The end</p>`)).not.toContain('Words');
  if (where !== 'near') return;
  expect(await textOf(css, '<p class="x a" style="color: #fff">Words</p><p>The end</p>')).not.toContain('Words');
  expect(await textOf(css, '<p class="x a"><b style="color: #fff">Words</b></p><p>The end</p>')).not.toContain('Words');
});

test.each([
  ['a gradient', `.a::before { ${fill}; background: linear-gradient(red, blue) }`],
  ['a skewed block', `.a::before { ${fill}; transform: skewX(-20deg); background: navy }`],
  [
    'a block that is moved there',
    `.a::before { ${fill}; inset: 50%; width: 100%; height: 100%; translate: -50% -50%; background: navy }`,
  ],
  [
    'a block that is scaled there',
    `.a::before { ${fill}; inset: 0 auto auto 0; width: 1px; height: 1px; transform-origin: 0 0; scale: 300 30; background: navy }`,
  ],
  [
    'a shadow',
    `.a::before { ${fill}; inset: 0 auto auto -300px; width: 300px; height: 30px; box-shadow: 300px 0 navy }`,
  ],
  [
    'a block with a negative margin',
    '.x::before { content: ""; display: block; height: 30px; margin-bottom: -30px; background: navy }',
  ],
  [
    'a float',
    '.x::before { content: ""; float: left; width: 200px; height: 20px; margin-right: -200px; background: navy }',
  ],
  [
    'a box in the same grid cell',
    '.x { display: grid } .x > *, .x::before { grid-area: 1/1 } .x::before { content: ""; background: navy }',
  ],
  ['a block of a scaled page', `body { scale: 0.5; transform-origin: 0 0 } .a::before { ${fill}; background: navy }`],
  [
    'a block of a rotated page',
    `body { rotate: 30deg; transform-origin: 0 0 } .a::before { ${fill}; background: navy }`,
  ],
])('keeps white text on a generated box: %s', async (_what, css) => {
  expect(await textOf(css, '<p class="x a"><b style="color: #fff">Words</b></p><p>The end</p>')).toContain('Words');
});

test.each([
  [
    'below a box that clips',
    '.a { overflow: hidden; height: 20px } .a::before { content: "Words"; position: absolute; top: 50px }',
    false,
  ],
  [
    'inside a box that clips',
    '.a { overflow: hidden; height: 90px } .a::before { content: "Words"; position: absolute; top: 50px }',
    true,
  ],
  [
    'right of a box that clips',
    '.a { overflow: hidden; width: 200px } .a::after { content: "Words"; position: absolute; left: 100% }',
    false,
  ],
  [
    'right of a box that does not clip',
    '.a { width: 200px } .a::after { content: "Words"; position: absolute; left: 100% }',
    true,
  ],
  [
    'outside a `clip-path`',
    'body { clip-path: inset(0); height: 20px } .a::after { content: "Words"; position: absolute; top: 90px }',
    false,
  ],
  [
    'positioned outside a box that clips',
    'section { overflow: hidden; height: 20px } .x::after { content: "Words"; position: absolute; top: 90px }',
    true,
  ],
  [
    'left of the page by a transform',
    '.x::before { content: "Words"; position: absolute; transform: translateX(-999px) }',
    false,
  ],
  ['left of the page by `translate`', '.x::before { content: "Words"; display: block; translate: -9999px }', false],
  ['in place, because transforms do not apply', '.x::before { content: "Words"; transform: translateX(-999px) }', true],
  [
    'left of the page by a relative offset',
    '.x::before { content: "Words"; position: relative; left: -9999px }',
    false,
  ],
  [
    'in a box that a `clip-path` leaves out',
    'section { clip-path: inset(0 0 0 700px) } .x { width: 200px } .x::before { content: "Words" }',
    false,
  ],
  [
    'in a box that a `clip-path` shows',
    'section { clip-path: inset(0 500px 0 0) } .x { width: 200px } .x::before { content: "Words" }',
    true,
  ],
  [
    'in the flow below a box that clips',
    'section { overflow: hidden; height: 20px } .x { margin-top: 90px } .x::before { content: "Words" }',
    false,
  ],
  ['below the viewport', '.x::before { content: "Words"; position: fixed; top: 110vh }', false],
  ['in a corner of the viewport', '.x::before { content: "Words"; position: fixed; right: 0; bottom: 0 }', true],
  [
    'to appear on hover',
    '.a { overflow: hidden; display: inline-block; height: 20px } .a::after { content: "Words"; position: absolute; left: 0; transform: translateY(100%) }',
    false,
  ],
])('reads generated text only if it is in view: %s', async (_where, css, isRead) => {
  const body = `<section><p class="x${css.includes('.a') ? ' a' : ''}">Here</p></section>`;
  expect((await textOf(css, body)).includes('Words')).toBe(isRead);
});

test.each([
  [
    'a string as the marker of an item',
    '.x { list-style: "Words: " }',
    '<ul><li class="x">Here</ul>',
    ' listitem "Words: Here"',
  ],
  [
    'a marker by a rule about siblings',
    'li + li { list-style-type: "Words: " }',
    '<ul><li>One<li>Here</ul>',
    ' listitem "Words: Here"',
  ],
  [
    'a white marker',
    '.x { list-style: "Words: " } .x::marker { color: #fff }',
    '<ul><li class="x">Here</ul>',
    ' listitem "Here"',
  ],
  [
    'a marker left of the page',
    '.x { list-style: "Words: "; margin-left: -90px }',
    '<ul><li class="x">Here</ul>',
    ' listitem "Here"',
  ],
  [
    'a marker that its list clips',
    'ul { overflow: hidden; padding: 0 } .x { list-style: "Words: " }',
    '<ul><li class="x">Here</ul>',
    ' listitem "Here"',
  ],
  [
    'a marker inside an item that clips',
    '.x { list-style: inside "Words: "; overflow: hidden }',
    '<ul><li class="x">Here</ul>',
    ' listitem "Words: Here"',
  ],
  ['a bullet', '.x { list-style: disc }', '<ul><li class="x">Here</ul>', ' listitem "Here"'],
  ['quotation marks with words', 'q { quotes: "Words: " " over" }', '<q>Here</q>', '- Words: Here over'],
  [
    'quotation marks of two levels',
    'q { quotes: "One: " "." "Two: " " over" }',
    '<q>Here <q>there</q></q>',
    '- One: Here Two: there over',
  ],
  [
    'no quotation marks',
    '.x { quotes: none } .x::before { content: open-quote "Words " }',
    '<p class="x">Here</p>',
    '- Words Here',
  ],
  [
    'a quotation mark that only counts',
    '.x { quotes: "One " "" } .x::before { content: "Words " no-open-quote }',
    '<p class="x">Here</p>',
    '- Words Here',
  ],
  ['a line break', 'br::before { content: "Words" }', '<p>Here<br>There</p>', '- Here'],
])('reads %s', async (_what, css, body, line) => {
  expect((await textOf(css, body)).split('\n')).toContain(line);
});
