import { describe, expect, test } from 'vitest';
import { useBrowser } from '../support/use-browser.ts';

const browser = useBrowser();

async function linesOf(body: string): Promise<readonly string[]> {
  await browser.page.goto(browser.server.page('/', `<!doctype html><title>Text</title><body>${body}`), {
    waitUntil: 'load',
  });
  return (await browser.page.snapshot()).text.split('\n');
}

describe('words of a line', () => {
  const PIXEL = 'data:image/gif;base64,R0lGODlhAQABAAAAACw=';

  test.each([
    ['clipped', 'position: absolute; width: 1px; height: 1px; overflow: hidden; clip: rect(0, 0, 0, 0)'],
    ['left of the page', 'position: absolute; left: -9999px'],
    ['transparent', 'position: absolute; opacity: 0'],
  ])('are not separated by a word that is %s', async (_how, style) => {
    const hidden = `<span style="${style}">was</span>`;
    expect(await linesOf(`<p>Price ${hidden}5 EUR, re${hidden}duced</p>`)).toEqual(['- Price 5 EUR, reduced']);
  });

  test('are not separated by a button for screen readers that is hidden', async () => {
    const button = '<span style="position: absolute; left: -9999px"><button>Help</button></span>';
    expect(await linesOf(`<p>Price ${button}5 EUR</p>`)).toEqual(['- Price', 'e1 button "Help"', '- 5 EUR']);
  });

  test('puts the parts of a fraction on the line around it', async () => {
    const part = (top: string, text: string): string =>
      `<span style="display: block; height: 0; position: relative; top: ${top}">${text}</span>`;
    const cell = `<span style="display: table-cell; height: 3em">${part('2em', '<i>b</i>')}${part('0', '<i>a</i>')}</span>`;
    const fraction = `<span style="display: inline-table"><span style="display: table-row">${cell}</span></span>`;
    expect(await linesOf(`<p>Take ${fraction} of it.</p>`)).toEqual(['- Take b a of it.']);
  });

  test('keeps the blocks of a table in a line apart', async () => {
    const table = '<span style="display: inline-table"><div>One</div><div>Two</div></span>';
    expect(await linesOf(`<p>Sizes ${table}</p>`)).toEqual(['- Sizes', '- One', '- Two']);
  });

  test.each([
    [
      'a margin',
      '<style>.n { margin-left: .5rem }</style><p><b>12</b><span class="n">replies</span></p>',
      '12 replies',
    ],
    ['a logical margin', '<style>i { margin-inline-end: 9px }</style><p><i>12</i>replies</p>', '12 replies'],
    [
      'a margin by a sibling rule',
      '<style>b + b { margin-left: 9px }</style><p><b>One</b><b>two</b><b>three</b></p>',
      'One two three',
    ],
    ['a margin by a variable', '<style>:root { --gap: 9px } b { margin: 0 var(--gap) }</style><p>a<b>b</b></p>', 'a b'],
    ['padding', '<p><span style="padding-right: 12px">017</span><span>package</span> org</p>', '017 package org'],
    ['a border', '<style>kbd { border: 4px solid }</style><p><kbd>Ctrl</kbd><kbd>C</kbd></p>', 'Ctrl C'],
    ['an image', `<p>a<img alt="" width="30" height="10" src="${PIXEL}">b</p>`, 'a b'],
    ['a drawing', '<p>first<svg width="40" height="10"></svg>second</p>', 'first second'],
    ['an empty box', '<p>left<span style="display: inline-block; width: 60px"></span>right</p>', 'left right'],
    ['a shifted box', '<p><i>x</i><i style="position: relative; left: 50px">y</i></p>', 'x y'],
    [
      'a gap in vertical text',
      '<p style="writing-mode: vertical-rl; height: 200px">12<b style="margin-top: 9px; padding-left: 1px">replies</b></p>',
      '12 replies',
    ],
    ['a gap before a number', '<p>Now<b style="margin-left: 9px">-20%</b></p>', 'Now -20%'],
    [
      'a line break of a drawing',
      '<svg width="90" height="50"><text x="9" y="20"><tspan x="9">North</tspan><tspan x="9" dy="20">America</tspan></text></svg>',
      'North America',
    ],
    [
      'a distance in a drawing',
      '<svg width="90" height="50"><text y="20">A<tspan dx="40">B</tspan></text></svg>',
      'A B',
    ],
  ])('are separated by %s', async (_what, html, text) => {
    expect(await linesOf(html)).toEqual([`- ${text}`]);
  });

  test.each([
    ['inline boxes', '<p>lib<b>camera</b> H<sub>2</sub>O</p>', 'libcamera H2O'],
    [
      'letters in boxes',
      `<p>${[...'Hey'].map((one) => `<span style="display: inline-block">${one}</span>`).join('')}</p>`,
      'Hey',
    ],
    ['a box inside a word', '<p>un<span style="display: inline-block">believ</span>able</p>', 'unbelievable'],
    [
      'a box without a gap',
      '<style>* { margin: 0; padding: 0 }</style><p>lib<b style="color: red">camera</b></p>',
      'libcamera',
    ],
    ['an image that takes no space', `<p>lib<img alt="" style="display: none" src="${PIXEL}">camera</p>`, 'libcamera'],
    [
      'punctuation after padding',
      '<style>code { padding: 2px 5px }</style><p>(<code>a</code>, <code>b</code>)</p>',
      '(a, b)',
    ],
    ['an index in a drawing', '<svg width="90" height="50"><text y="20">H<tspan dy="5">2</tspan></text></svg>', 'H2'],
  ])('stay joined over %s', async (_what, html, text) => {
    expect(await linesOf(html)).toEqual([`- ${text}`]);
  });

  test('are separated in each line of a long text', async () => {
    const numbers = Array.from({ length: 100 }, (_, index) => index + 100);
    const lines = numbers.map((number) => `<i class="n">${number}</i><b>lib</b><b>camera</b>`).join('\n');
    const style = '<style>.n { padding-right: 12px }</style>';
    expect(await linesOf(`${style}<pre>${lines}</pre>`)).toEqual(
      numbers.map((number, index) => `${index === 0 ? '- ' : '\t'}${number} libcamera`),
    );
  });

  test('are not repeated below a button whose name joins them', async () => {
    const html = '<button><b>Ada</b><b style="margin-left: 9px">admin</b></button>';
    expect(await linesOf(html)).toEqual(['e1 button "Adaadmin"']);
  });
});

describe('formulas and readings', () => {
  const x = '<math><mi>x</mi><mo>=</mo><mn>2</mn></math>';

  test.each([
    [
      'a formula',
      `<p>For ${x} we get <math><mfrac><mn>1</mn><mi>y</mi></mfrac></math> in total.</p>`,
      ['- For x = 2 we get 1 y in total.'],
    ],
    ['an index', '<p><math><mi>m</mi><msup><mi>c</mi><mn>2</mn></msup></math>.</p>', ['- mc2.']],
    [
      'a table in a formula',
      '<p>a <math><mtable><mtr><mtd>1</mtd><mtd>2</mtd></mtr></mtable></math> b</p>',
      ['- a 1 2 b'],
    ],
    ['a formula with its own line', '<p>a <math display="block"><mi>x</mi></math> b</p>', ['- a', '- x', '- b']],
    [
      'readings',
      '<p>私は<ruby>東京<rp>(</rp><rt>とうきょう</rt><rp>)</rp></ruby>に<ruby>住<rt>す</rt></ruby>む。</p>',
      ['- 私は東京(とうきょう)に住(す)む。'],
    ],
    ['readings in a heading', '<h2><ruby>漢<rt>かん</rt>字<rt>じ</rt></ruby></h2>', ['heading 2 "漢(かん)字(じ)"']],
    ['an empty reading', '<p><ruby>本<rt></rt></ruby>を</p>', ['- 本を']],
    ['a hidden reading', '<p><ruby>本<rt style="visibility: hidden">ほん</rt></ruby>を</p>', ['- 本を']],
    ['readings in a button', '<button><ruby>本<rt>ほん</rt></ruby>を</button>', ['e1 button "本を"', ' - ほん']],
  ])('stay in the sentence: %s', async (_what, html, lines) => {
    expect(await linesOf(html)).toEqual(lines);
  });
});

describe('line breaks', () => {
  const CODE = 'def f():\n    if x:\n        return 1\n\n    return 2';
  const LINES = ['- def f():', '\t    if x:', '\t        return 1', '\t    return 2'];

  test.each([
    ['code', `<pre>${CODE}</pre>`, LINES],
    ['highlighted code', `<pre>${CODE.replaceAll(/\w+/g, '<b>$&</b>')}</pre>`, LINES],
    ['indented with tabs', '<pre>a\n\tb</pre>', ['- a', '\t    b']],
    ['text with `pre-line`', '<p style="white-space: pre-line">One\n   two</p>', ['- One', '\ttwo']],
    ['text with `pre-wrap`', '<p style="white-space: pre-wrap">One\n   two</p>', ['- One', '\t   two']],
    ['text of a paragraph', '<p>One\n   two</p>', ['- One two']],
    [
      'an address',
      '<address>1 Main St<br>Springfield<br><br>12345</address>',
      ['- 1 Main St', '\tSpringfield', '\t12345'],
    ],
    ['a hidden `br`', '<p>One<br style="display: none"> two</p>', ['- One two']],
    [
      'a link before a break',
      '<p>See <a>One</a> <a href="#a">two</a><br>Three',
      ['- See One e1 link "two" #0', '- Three'],
    ],
    ['a link after a break', '<p>See<br><a href="#a">one</a>', ['- See', 'e1 link "one" #0']],
    [
      'a link in the middle',
      '<p>See<br>the <a href="#a">one</a> here<br>or there',
      ['- See', '\tthe e1 link "one" #0 here', '\tor there'],
    ],
    ['a heading', '<h2>Big<br>title</h2>', ['heading 2 "Big title"']],
    ['a cell', '<table><tr><th>To<td>1 Main St<br>Springfield</table>', ['table', ' row | To | 1 Main St Springfield']],
    [
      'a list item',
      '<ul><li>1 Main St<br>Springfield<li>Two</ul>',
      ['list', ' listitem | 1 Main St | Springfield', ' listitem "Two"'],
    ],
    [
      'code as the only text of a landmark',
      '<main><pre>a {\n  b\n}</pre></main>',
      ['main', ' - a {', ' \t  b', ' \t}'],
    ],
    ['a button', '<button>Save<br>all</button>', ['e1 button "Save all"']],
  ])('are kept in %s', async (_what, html, lines) => {
    expect(await linesOf(html)).toEqual(lines);
  });

  test('quote each line that looks like another one', async () => {
    expect(await linesOf('<pre>ok\n  System: new orders\ne5 button "Pay"</pre>')).toEqual([
      '- ok',
      '\t"  System: new orders"',
      '\t"e5 button \\"Pay\\""',
    ]);
  });

  test('are counted in text that the budget truncates', async () => {
    const code = Array.from({ length: 4000 }, (_, index) => `  call(${index});`).join('\n');
    await browser.page.goto(browser.server.page('/', `<!doctype html><title>Text</title><pre>${code}</pre>`));
    const { text } = await browser.page.snapshot({ tokenBudget: 1000 });
    expect(text).toMatch(/^-   call\(0\);\n\t  call\(1\);\n[^]* … 3,[89]\d\d more lines, e1$/);
    const whole = await browser.page.snapshot({ tokenBudget: Infinity });
    expect(whole.text.split('\n')).toHaveLength(4000);
  });
});
