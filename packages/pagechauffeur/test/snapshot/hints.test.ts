import { expect, test } from 'vitest';
import { oddPages } from '../odd-pages/odd-page.ts';

const odd = oddPages();

const SIZE = 'width: 20px; height: 20px; display: inline-block';

/** Buttons without words, and what their author calls them. */
const HINTS: readonly (readonly [where: string, html: string, hint: string])[] = [
  ['the class of an icon font', '<button><i class="fa fa-trash-o"></i></button>', 'trash'],
  ['the number of a slide', '<p><button data-slide="1"></button><button data-slide="2"></button></p>', 'slide 1'],
  ['the class after the style of an icon', '<button><i class="fa-solid fa-fw fa-trash-can"></i></button>', 'trash can'],
  ['an icon class with the number of a variant', '<button><i class="bi bi-trash3"></i></button>', 'trash'],
  [
    'the first word of an icon class with a number',
    '<button><i class="bi bi-folder2-open"></i></button>',
    'folder open',
  ],
  ['an icon class with a number, without a prefix of its own', '<button><i class="icon-trash2"></i></button>', 'trash'],
  ['the class of an icon of a font with a short prefix', '<button><i class="ax ax-edit-3"></i></button>', 'edit'],
  [
    'the class of an icon without the prefix of its font',
    '<button><i class="app_icon wxi-trash"></i></button>',
    'trash',
  ],
  ['the class of an icon of a font with a name', '<button><i class="dashicons-trash"></i></button>', 'trash'],
  [
    'a class beside an image with a long address',
    `<button class="trash"><img src="/${'a'.repeat(300_000)}/" alt=""></button>`,
    'trash',
  ],
  ['the class of an SVG', '<button><svg class="feather feather-trash-2"></svg></button>', 'trash'],
  ['two classes of one word, if they are no icon', '<button><i class="arrow arrow-left"></i></button>', 'arrow left'],
  ['an icon class for ×', '<button><i class="bi bi-x"></i></button>', 'close'],
  ['an icon class for × in a circle', '<button><i class="fa fa-times-circle"></i></button>', 'close circle'],
  ['the number that an icon shows', '<button><i class="bi bi-123"></i></button>', '123'],
  ['the number inside the class of an icon', '<button><i class="mdi mdi-numeric-1-box"></i></button>', 'numeric 1'],
  ['the level of a heading in an icon class', '<button><i class="bi bi-type-h1"></i></button>', 'type h1'],
  ['the glyph after the size of an icon', '<button><i class="fa fa-2x fa-bell"></i></button>', 'bell'],
  [
    'the class of an icon with a glyph',
    '<button><i class="icon icon-chevron-left">\uE001</i></button>',
    'chevron left',
  ],
  [
    'the symbol of an SVG',
    `<button><svg style="${SIZE}"><use href="sprite.svg#thumbs-up"/></svg></button>`,
    'thumbs up',
  ],
  [
    'the file name of an image',
    `<button><img style="${SIZE}" src="/img/shopping-cart.png?v=2"></button>`,
    'shopping cart',
  ],
  [
    'the file name of a background',
    `<button style="${SIZE}; background-image: url(/icons/search.svg)"></button>`,
    'search',
  ],
  ['data-action', '<button data-action="deleteRow" class="btn"></button>', 'delete'],
  ['its id', '<button id="sidebarToggle"></button>', 'sidebar toggle'],
  ['its class', '<button class="btn btn-primary js-like css-1x2y3z"></button>', 'like'],
  ['its class without the abbreviation of a library', '<button class="el-rate__item is-like"></button>', 'rate like'],
  ['a class that starts with a short word', '<button class="go-back"></button>', 'go back'],
  ['its class, not its generated id', '<button id="react-aria-:r1:" class="like"></button>', 'like'],
  ['its class, not an id with an abbreviation', '<button id="el-id-1024-7" class="like"></button>', 'like'],
  ['the value of an icon attribute', '<button uk-icon="icon: plus; ratio: 2" class="uk-icon"></button>', 'plus'],
  [
    'the test id of an icon, not the class for its size',
    '<button><svg class="SvgIcon-root SvgIcon-fontSmall" data-testid="CancelIcon"></svg></button>',
    'cancel',
  ],
  ['its sign, if nothing else describes it', '<button>×</button>', 'close or remove'],
  [
    'a data value that no other element has',
    '<button class="seat" data-seat="A1"></button><b data-seat="A2"></b>',
    'seat A1',
  ],
  ['the name and value of a data attribute', '<button data-note="C#4"></button><b data-note="D4"></b>', 'note C#4'],
  ['its class, beside a sign as text', '<button class="close-dialog">×</button>', 'close dialog'],
];

test.each(HINTS)('describes a button without a name by %s', async (_where, html, hint) => {
  await odd.open(html);
  expect(await odd.text()).toMatch(new RegExp(`^e1 button (?:"×" )?\\(hint: ${hint}\\)`));
});

test.each([
  ['has text', '<button class="like">Save</button>', 'e1 button "Save"'],
  ['has a title', '<button class="like" title="I like it"></button>', 'e1 button "I like it"'],
  ['is a field', '<input class="like">', 'e1 textbox'],
  ['has only the prefix and the size of an icon', '<button><i class="bi bi-2x"></i></button>', 'e1 button'],
  ['has only layout and generated classes', '<button class="btn btn-icon css-1x2y3z"></button>', 'e1 button'],
])('shows no hint for an element that %s', async (_why, html, text) => {
  await odd.open(html);
  expect(await odd.text()).toBe(text);
});

test.each([
  ['that looks generated', 'data-key="8f3a9c21d4"', 'data-key="77b0aa19ff"'],
  ['that another element shares', 'data-row="north"', 'data-row="north"'],
])('makes no hint of a data value %s', async (_why, own, other) => {
  await odd.open(`<button ${own}></button><b ${other}></b>`);
  expect(await odd.text()).toBe('e1 button');
});

test.each([
  [
    'two values, if the first is shared by some',
    '<b class="piece" data-piece="wr" data-square="a1"></b><b class="piece" data-piece="wr" data-square="h1"></b><b class="piece" data-piece="wq" data-square="d1"></b>',
    ['piece wr a1', 'piece wr h1', 'piece wq d1'],
  ],
  [
    'the names of coordinates, also of one that all siblings share',
    '<div><b data-x="0" data-y="2"></b><b data-x="1" data-y="2"></b></div>',
    ['x 0 y 2', 'x 1 y 2'],
  ],
  [
    'no generated values',
    '<b class="key" data-id="r0b11"></b><b class="key" data-id="4A0.|PV.gRG^n"></b><b class="key" data-id="B4"></b>',
    ['1 of 3', '2 of 3', 'B4'],
  ],
])('distinguishes similar elements by %s', async (_how, html, hints) => {
  await odd.open(`<style>b { cursor: pointer; ${SIZE} }</style><div>${html}</div>`);
  const lines = hints.map((hint, index) => `e${index + 1} generic clickable${hint === '' ? '' : ` (hint: ${hint})`}`);
  expect(await odd.text()).toBe(lines.join('\n'));
});

test.each([
  ['class="step"', ['step 1 of 3', 'step 2 of 3', 'step 3 of 3']],
  ['', ['1 of 3', '2 of 3', '3 of 3']],
])('numbers the dots of a list with %s', async (attributes, hints) => {
  const dot = `<div><a role="tab" tabindex="0" ${attributes} style="${SIZE}"></a></div>`;
  await odd.open(`<div>${dot.repeat(3)}</div>`);
  expect(await odd.text()).toBe(hints.map((hint, index) => `e${index + 1} tab (hint: ${hint})`).join('\n'));
});

test('counts the current dot among the others', async () => {
  const dot = (kind: string): string => `<a role="tab" tabindex="0" class="${kind}" style="${SIZE}"></a>`;
  await odd.open(`<div>${dot('active')}${dot('')}${dot('')}</div>`);
  expect(await odd.text()).toBe('e1 tab current (hint: 1 of 3)\ne2 tab (hint: 2 of 3)\ne3 tab (hint: 3 of 3)');
});

test('describes a control with hidden text', async () => {
  await odd.open(`<div class="time-slider" style="width: 90px; height: 20px"><b style="display: none">00:00</b></div>
    <script>document.querySelector('div').addEventListener('click', () => {})</script>`);
  expect(await odd.text()).toBe('e1 generic clickable (hint: time slider)');
});

test('counts no hidden dots', async () => {
  const dot = `<a role="tab" tabindex="0" style="${SIZE}"></a>`;
  await odd.open(`<div>${dot.repeat(3)}<a role="tab" tabindex="0" hidden></a></div>`);
  expect(await odd.text()).toBe('e1 tab (hint: 1 of 3)\ne2 tab (hint: 2 of 3)\ne3 tab (hint: 3 of 3)');
});

test('numbers no controls beside other content of their wrappers', async () => {
  const cell = (text: string): string =>
    `<div><a role="tab" tabindex="0" class="step" style="${SIZE}"></a><b>${text}</b></div>`;
  await odd.open(`<div>${['Ann', 'Bob', 'Cid'].map(cell).join('')}</div>`);
  expect(await odd.text()).not.toContain(' of 3');
});

const palette = (kind: string, colors: readonly string[]): string =>
  colors.map((color) => `<b class="${kind}" style="background: ${color}"></b>`).join('');

test.each([
  [
    'swatches by their colors',
    palette('color', ['#f00', 'lime', 'rgb(0 0 255)']),
    ['color 1 of 3 #ff0000', 'color 2 of 3 #00ff00', 'color 3 of 3 #0000ff'],
  ],
  [
    'swatches without words of their own',
    `<div id="palette">${palette('c', ['#f00', '#0f0', '#00f'])}</div>`,
    ['palette 1 of 3 #ff0000', 'palette 2 of 3 #00ff00', 'palette 3 of 3 #0000ff'],
  ],
  [
    'stars without words of their own',
    `<div class="rate"><p>${palette('c', ['gold', 'gold', '#ccc'])}</p></div><script>for (const star of document.querySelectorAll('b')) star.addEventListener('click', () => {})</script>`,
    ['rate 1 of 3', 'rate 2 of 3', 'rate 3 of 3'],
  ],
  ['stars of two colors', palette('star', ['gold', 'gold', '#ccc']), ['star 1 of 3', 'star 2 of 3', 'star 3 of 3']],
])('distinguishes %s', async (_what, html, hints) => {
  await odd.open(`<style>b { ${SIZE} }</style>${html}<script>
    for (const one of document.querySelectorAll('b')) one.addEventListener('click', () => {})</script>`);
  expect(await odd.text()).toBe(
    hints.map((hint, index) => `e${index + 1} generic clickable (hint: ${hint})`).join('\n'),
  );
});

test('shows the new color of a swatch in the next snapshot', async () => {
  const swatches = palette('color', ['#f00', '#0f0', '#00f']).replaceAll('<b', '<b onclick="1"');
  await odd.open(`<style>b { ${SIZE} }</style><div>${swatches}</div>`);
  await odd.text();
  await odd.page.evaluate('document.querySelectorAll("b")[1].style.background = "#123456"');
  expect(await odd.text()).toContain('e2 generic clickable (hint: color 2 of 3 #123456)');
});

test('shows no hint for a button whose icon has a title', async () => {
  await odd.open('<button class="like"><i class="fa fa-heart" title="Favourite"></i></button>');
  expect(await odd.text()).toBe('e1 button (Favourite)');
});

test('describes a control by the tooltip in its data attributes', async () => {
  await odd.open('<button class="tool undo" data-tooltip="Undo (Ctrl+Z)"><i></i></button>');
  expect(await odd.text()).toBe('e1 button ("Undo (Ctrl+Z)")');
});

/** The wrapper has a tooltip, and contains an icon that listens for clicks. */
const wrapped = (beside: string, wrapper = 'data-tooltip="Text color"'): string =>
  `<div ${wrapper}><div><div class="head" id="x"><i class="ic" style="${SIZE}; background: red"></i></div>${beside}</div></div>
  <script>x.addEventListener('click', () => {})</script>`;

test.each([
  ['', 'Text color'],
  ['<div hidden><button>Red</button></div>', 'Text color'],
  ['<div style="visibility: hidden"><a href="#">Red</a></div>', 'Text color'],
  ['<i></i>', 'Text color'],
  ['<button>More</button>', 'hint: head'],
  ['<b>Pick one</b>', 'hint: head'],
  ['Pick one', 'hint: head'],
])('describes a control by the tooltip of a wrapper with only this control: beside it %j', async (beside, text) => {
  await odd.open(wrapped(beside));
  expect((await odd.text()).split('\n')[0]).toMatch(new RegExp(`^e1 generic clickable \\(${text}\\)`));
});

test('describes a control by the title of a wrapper', async () => {
  await odd.open('<span title="Delete"><button><i class="ic"></i></button></span>');
  expect(await odd.text()).toBe('e1 button (Delete)');
});

test('keeps the icon and the arrow of a button together', async () => {
  const pair = (icon: string, arrow: string): string =>
    [icon, arrow]
      .map((name) => `<i class="icon" style="${SIZE}; overflow: hidden"><b class="${name}"></b></i>`)
      .join('');
  await odd.open(
    `<div id="align" title="Align">${pair('align-left', 'arrow-down')}</div><div id="spin">${pair('arrow-up', 'arrow-down')}</div>
    <script>for (const one of [align, spin]) one.addEventListener('click', () => {})</script>`,
  );
  expect(await odd.text()).toBe(
    [
      'e1 generic "Align" clickable',
      'e2 generic clickable (hint: arrow up)',
      'e3 generic clickable (hint: arrow down)',
    ].join('\n'),
  );
});

test('does not describe a container by the title of an element in it that listens for clicks', async () => {
  await odd.open(
    '<div id="x">Item 1 <b title="Delete">×</b></div><script>for (const one of [x, x.firstElementChild]) one.onclick = () => {}; x.addEventListener("click", () => {}); x.firstElementChild.addEventListener("click", () => {})</script>',
  );
  expect(await odd.text()).toBe('e1 generic clickable\n - Item 1\n e2 generic "Delete" clickable\n  - ×');
});

test('names a visible control by the text that `text-indent` moves out of it', async () => {
  await odd.open(
    `<style>.icon { text-indent: -9999px; overflow: hidden; width: 30px; height: 30px; background: red; display: block }</style>
     <a class="icon" href="/cart">Shopping cart</a><button class="icon">Search</button><div class="icon" onclick="1">Menu</div>`,
  );
  const text = await odd.text();
  for (const name of ['link "Shopping cart"', 'button "Search"', 'generic "Menu"']) expect(text).toContain(name);
});

test('does not describe a container by the title of a control in it', async () => {
  await odd.open('<div tabindex="0">Text<p>More</p><button title="Merge the cells">M</button></div>');
  expect(await odd.text()).toBe('e1 generic | Text | More | e2 button "M" (Merge the cells)');
});

test('gives icons in a draggable row a ref of their own', async () => {
  await odd.open(
    '<style>.box { display: inline-block; width: 16px; height: 16px; background: url(/box.svg) }</style>' +
      '<div draggable="true"><i class="box toggle"></i><span>Books</span></div>',
  );
  expect(await odd.text()).toBe('e1 generic draggable | e2 generic clickable (hint: toggle) | Books');
});
