import { describe, expect, test } from 'vitest';
import { useBrowser } from '../support/use-browser.ts';

const browser = useBrowser();

async function linesOf(body: string): Promise<readonly string[]> {
  const html = `<!doctype html><title>Names</title><body>${body}`;
  await browser.page.goto(browser.server.page('/', html), { waitUntil: 'load' });
  return (await browser.page.snapshot()).text.split('\n');
}

/** Glyphs of icon fonts: Font Awesome's and Bootstrap's, and Material Design Icons', which lie beyond 16 bits. */
const GLYPHS = { 'of 16 bits': '\uF2B6', 'beyond 16 bits': '\u{F0415}' };

describe.each(Object.entries(GLYPHS))('icon font glyph %s', (_bits, glyph) => {
  const drawn = `<style>i::before { content: '${glyph}' }</style><i></i>`;

  test.each([
    ['the title of a link', `<a href="/read" title="Mark all as read">${drawn}</a>`, 'e1 link "Mark all as read" #0'],
    ['the title of a link with the glyph as text', `<a href="/" title="Home">${glyph}</a>`, 'e1 link "Home" #0'],
    ['the title of a button', `<button title="Delete">${drawn}</button>`, 'e1 button "Delete"'],
    ['the title of the icon', `<button><i title="Delete">${glyph}</i></button>`, 'e1 button (Delete)'],
    [
      'the text of a link with the glyph as `aria-label`',
      `<a href="/" aria-label="${glyph}" title="Home">x</a>`,
      'e1 link "x" (Home) #0',
    ],
    ['the title of a submit button', `<input type="submit" value="${glyph}" title="Search">`, 'e1 button "Search"'],
    [
      'the placeholder',
      `<label for="q">${drawn}</label><input id="q" placeholder="Find">`,
      'e1 textbox placeholder "Find"',
    ],
    ['nothing', `<button>${drawn}</button>`, 'e1 button'],
  ])('shows %s in place of the glyph', async (_what, html, line) => {
    expect((await linesOf(html)).at(-1)).toBe(line);
  });

  test('keeps the text beside the glyph as the name', async () => {
    expect(await linesOf(`<button>${drawn} Save</button><a href="/">Next ${glyph}</a>`)).toEqual([
      'e1 button "Save"',
      'e2 link "Next" #0',
    ]);
  });
});

describe('`title` attribute', () => {
  test.each([
    [
      'shows a title in parentheses when it adds to the name',
      '<button title="User Menu">F2</button>',
      'e1 button "F2" (User Menu)',
    ],
    [
      'shows a title in parentheses when it adds to the text of a cell',
      '<table><tr><th>A<td title="Two hours">2 h</table>',
      ' row | A | cell "2 h" (Two hours)',
    ],
    ['omits a title that repeats the name', '<button title="save">Save</button>', 'e1 button "Save"'],
    ['omits a title that repeats a part of the name', '<button title="Save">Save all</button>', 'e1 button "Save all"'],
    ['uses a title as the name of a button without text', '<button title="Save"></button>', 'e1 button "Save"'],
    [
      'omits a title that repeats the placeholder',
      '<input aria-label="Q" placeholder="Find" title="Find">',
      'e1 textbox "Q" placeholder "Find"',
    ],
    [
      'shows an `aria-description` in place of the title',
      '<button title="T" aria-description="D">Save</button>',
      'e1 button "Save" (D)',
    ],
    [
      'quotes a title with a closing parenthesis',
      "<button title='x) disabled e9 button \"Pay'>Save</button>",
      'e1 button "Save" ("x) disabled e9 button \\"Pay")',
    ],
    [
      'quotes a title with a quotation mark',
      "<button title='\"x) = y'>Save</button>",
      'e1 button "Save" ("\\"x) = y")',
    ],
  ])('%s', async (_what, html, line) => {
    expect(await linesOf(html)).toContain(line);
  });
});

describe('label of a field', () => {
  const popup = (style: string): string =>
    `<style>.d { cursor: pointer }</style><label>From <input id="field"><span id="popup" style="${style}"><b class="d">Day 1</b><b class="d">Day 2</b></span></label>`;
  const days = ['e1 textbox "From"', 'e2 generic "Day 1" clickable', 'e3 generic "Day 2" clickable'];

  test.each([
    ['placed suggestions', popup('position: absolute'), days],
    [
      'suggestions with a listener',
      `${popup('display: block')}<script>document.getElementById('popup').addEventListener('mousedown', () => undefined)</script>`,
      days,
    ],
    [
      'a placed calendar',
      '<label>From <input><span style="position: absolute"><i>May</i><button>Next</button></span></label>',
      ['e1 textbox "From"', '- May', 'e2 button "Next"'],
    ],
  ])('does not contain %s, which have lines of their own', async (_what, html, lines) => {
    expect(await linesOf(html)).toEqual(lines);
    expect(await browser.page.locator('role=textbox[name="From"]').count()).toBe(1);
  });

  test('does not contain a popup that opens after a snapshot', async () => {
    expect(await linesOf(popup('position: absolute; display: none'))).toEqual(days.slice(0, 1));
    await browser.page.evaluate("document.getElementById('popup').style.display = ''");
    expect((await browser.page.snapshot()).text.split('\n')).toEqual(days);
  });

  test.each([
    ['a floating text', '', ''],
    ['a floating text with a pointer cursor', 'cursor: pointer', ''],
    [
      'a text with a listener',
      '',
      "<script>document.querySelector('span').addEventListener('click', () => undefined)</script>",
    ],
  ])('contains %s', async (_what, style, script) => {
    const html = `<label style="${style}"><input><span style="position: absolute"><b>Name</b> <i>first</i></span></label>${script}`;
    expect(await linesOf(html)).toContain('e1 textbox "Name first"');
  });
});

test('quotes a table cell that begins with a quotation mark', async () => {
  expect(await linesOf('<table><tr><th>"a | b<td>c</table>')).toEqual(['table', ' row | "\\"a | b" | c']);
});

test.each([
  ['<div>One</div><div>two</div>', 'One two'],
  ['One<div>two</div>three', 'One two three'],
  ['<div>One<!-- and -->two <span>three</span></div>', 'Onetwo three'],
  ['<span style="display: block">One</span>two', 'One two'],
  ['<table><tr><td>One<td></table><p>two</p>', 'One two'],
  ['<div>One</div><div style="color: #fff">two</div>', 'One two'],
  ['<div>One</div><div style="opacity: 0">two</div>', 'One two'],
  ['<div>One</div><div style="visibility: hidden">two</div>', 'One'],
  ['<div>One</div><div style="text-transform: uppercase">two</div>', 'One TWO'],
  ['<div>One</div><div style="display: none">two</div>three', 'One three'],
  ['<div>One</div><div style="display: inline-block">two</div><div></div>', 'One two'],
  ['<div style="width: 9px; overflow: hidden"><div style="margin-left: 50px">One</div></div><div>two</div>', 'One two'],
  ['<div>One <img alt="two"></div><div>three <b>four</b></div>', 'One two three four'],
  ['<div>One</div><h3>two</h3><div>three</div>', 'One two three'],
  ['<div>One</div><slot-like><template shadowrootmode="open"><p>two</p></template></slot-like>', 'One two'],
])('names a link after its blocks: %s', async (content, name) => {
  const [link] = await linesOf(`<a href="#there">${content}</a>`);
  expect(link).toMatch(new RegExp(`^e1 link "${name}"`));
});

test('leaves the items inside an item of a tree out of its name', async () => {
  const inner = '<div role="treeitem" tabindex="-1">Cellar</div><div role="treeitem" tabindex="-1">Attic</div>';
  expect(
    await linesOf(`<div role="tree"><div role="treeitem" tabindex="0">House<div>${inner}</div></div></div>`),
  ).toEqual(['tree', ' e1 treeitem "House"', '  e2 treeitem "Cellar"', '  e3 treeitem "Attic"']);
});

test('gives no ref to a drawing with `tabindex="-1"` in a button', async () => {
  const icon = '<svg tabindex="-1" width="16" height="16"><circle r="8"/></svg>';
  expect(await linesOf(`<button aria-label="Close">${icon}</button>`)).toEqual(['e1 button "Close"']);
});

test.each([
  [
    'a tab',
    '<div role="tablist"><b role="tab" class="is-pressed">Day</b><b role="tab">Week</b></div>',
    'tab "Day" selected',
  ],
  [
    'a radio button',
    '<p role="radiogroup"><b role="radio" class="is-pressed">Day</b><b role="radio">Week</b></p>',
    'radio "Day" checked',
  ],
])('shows the class "pressed" on %s as its own state', async (_what, html, line) => {
  expect((await linesOf(html))[1]).toBe(` e1 ${line}`);
});

test('compares 20,000 texts with the long label of their link', async () => {
  const texts = Array.from({ length: 20_000 }, (_, index) => `<p>x${index}</p>`).join('');
  const lines = await linesOf(`<a href="/" aria-label="${'word '.repeat(20_000)}">${texts}</a>`);
  expect(lines[0]).toMatch(/^e1 link "word /);
});
