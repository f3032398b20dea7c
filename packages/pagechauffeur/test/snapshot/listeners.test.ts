import { describe, expect, test } from 'vitest';
import { oddPages } from '../odd-pages/odd-page.ts';

const odd = oddPages();

/** A page whose script adds listeners to elements by their ids. */
function page(body: string, script: string): string {
  return `${body}<script>const at = (id) => document.getElementById(id); ${script}</script>`;
}

const ignore = '() => {}';

test('gives a ref to a text element with a click handler', async () => {
  await odd.open(page('<p>Hello</p><div><span id="like">Like</span></div>', `at('like').onclick = ${ignore}`));
  expect(await odd.text()).toBe('- Hello\ne1 generic "Like" clickable');
});

test.each(['click', 'dblclick', 'mousedown', 'mouseup', 'pointerdown', 'pointerup', 'contextmenu'])(
  'marks an element with a %s listener as clickable',
  async (type) => {
    await odd.open(page('<i id="like">Like</i>', `at('like').addEventListener('${type}', { handleEvent() {} })`));
    expect(await odd.text()).toBe('e1 generic "Like" clickable');
  },
);

test.each(['keydown', 'scroll', 'load', 'touchmove'])(
  'does not mark an element with a %s listener as clickable',
  async (type) => {
    await odd.open(page('<i id="like">Like</i>', `at('like').addEventListener('${type}', ${ignore})`));
    expect(await odd.text()).toBe('- Like');
  },
);

test('finds listeners in frames', async () => {
  const inner = `<b id='inner'>Inner</b><script>document.getElementById('inner').onmousedown = ${ignore}</script>`;
  await odd.open(`<iframe srcdoc="${inner}"></iframe>`);
  expect(await odd.text()).toMatch(/f1e1 generic "Inner" clickable/);
});

test('reads the listeners of 12 documents in a row without a crash', async () => {
  for (let count = 0; count < 12; count += 1) {
    await odd.open(page('<i id="like">Like</i>', `at('like').addEventListener('click', ${ignore})`));
    expect(await odd.text()).toBe('e1 generic "Like" clickable');
  }
});

test.each([0, 300, 900])('finds listeners that a script adds %i ms after load', async (delay) => {
  const add = `setTimeout(() => { at('like').onclick = ${ignore}; document.title = 'added'; }, ${delay})`;
  // From the second document on, listeners are also queried at its load.
  await odd.open('<p>First</p>');
  await odd.text();
  await odd.open(page('<i id="like">Like</i>', `addEventListener('load', () => { ${add} })`));
  await expect.poll(() => odd.page.title()).toBe('added');
  expect(await odd.text()).toBe('e1 generic "Like" clickable');
});

test('finds listeners that a script adds after the first snapshot', async () => {
  await odd.open(page('<i id="like">Like</i>', ''));
  expect(await odd.text()).toBe('- Like');
  await odd.page.evaluate("document.getElementById('like').addEventListener('click', () => {})");
  expect(await odd.text()).toBe('e1 generic "Like" clickable');
});

test('gives refs to the focusable cells of a palette, not to its rows and colors', async () => {
  const face = 'display: block; width: 20px; height: 20px; cursor: pointer; background:';
  const cell = (color: string): string =>
    `<b role="gridcell" tabindex="-1" aria-label="${color}"><i style="${face} ${color}"></i></b>`;
  const rows = [
    ['red', 'blue'],
    ['lime', 'navy'],
  ].map((row) => `<div role="row" class="r">${row.map(cell).join('')}</div>`);
  const grid = `<div id="board" role="grid" style="width: 60px">${rows.join('')}</div>`;
  await odd.open(page(grid, `at('board').onclick = ${ignore}`));
  expect(await odd.text()).toBe(
    'grid\n row | e1 gridcell "red" | e2 gridcell "blue"\n row | e3 gridcell "lime" | e4 gridcell "navy"',
  );
});

test('shows what distinguishes drop targets without text', async () => {
  const slot = (time: string): string => `<p class="slot" data-time="2027-04-12 ${time}" style="height: 20px"></p>`;
  await odd.open(`<b draggable="true">Meeting</b><div>${slot('09:00')}${slot('09:30')}</div>`);
  expect((await odd.text()).split('\n').map((line) => line.trim())).toEqual([
    'e1 generic "Meeting" draggable',
    'e2 paragraph droppable (slot 2027-04-12 09:00)',
    'e3 paragraph droppable (slot 2027-04-12 09:30)',
  ]);
});

test('marks an element with a drop listener as droppable', async () => {
  await odd.open(page('<div id="upload">Files here</div>', `at('upload').addEventListener('drop', ${ignore})`));
  expect(await odd.text()).toBe('e1 generic "Files here" droppable');
});

test('finds listeners of a canvas and of SVG shapes', async () => {
  const drawing =
    '<svg width="100" height="100"><rect id="shape" width="50" height="50"/><circle r="9" style="cursor: pointer"/></svg>';
  await odd.open(
    page(
      `<canvas id="canvas" width="900" height="600"></canvas>${drawing}`,
      `at('canvas').onmousedown = ${ignore}; at('shape').onclick = ${ignore}`,
    ),
  );
  expect(await odd.text()).toMatch(/e\d+ canvas clickable.*\ne\d+ generic clickable.*\ne\d+ generic clickable/);
});

test('gives no ref to a divider with the listener of the items around it', async () => {
  await odd.open(`<ul><li>New</li><li class="item separator" style="height: 9px"></li><li>Open</li></ul>
    <script>for (const item of document.querySelectorAll('li')) item.addEventListener('click', () => {})</script>`);
  expect(await odd.text()).toBe('list\n e1 listitem "New" clickable\n e2 listitem "Open" clickable');
});

test('gives refs to placed tiles that users drag, also with a button in them', async () => {
  const tile = (left: number, content: string): string =>
    `<div style="position: absolute; left: ${left}px; width: 150px; height: 90px"><div class="tile">${content}</div></div>`;
  await odd.open(`<div style="position: relative">${tile(0, 'Sales <button>x</button>')}${tile(200, 'Visits')}</div>
    <script>for (const one of document.querySelectorAll('.tile')) one.addEventListener('mousedown', () => {})</script>`);
  expect(await odd.text()).toBe('e1 generic clickable | Sales | e2 button "x"\ne3 generic "Visits" clickable');
});

test('gives no ref to the header of one window that users drag', async () => {
  await odd.open(`<div style="position: absolute; width: 300px"><div id="head"><b>Find</b> <button>x</button></div><p>Text</p></div>
    <script>head.addEventListener('mousedown', () => {})</script>`);
  expect((await odd.text()).match(/e\d/g)).toEqual(['e1']);
});

test('gives no ref to the box around a field that only scripts can focus', async () => {
  const icon = '<svg width="16" height="16"><circle cx="8" cy="8" r="6"/></svg>';
  await odd.open(`<div tabindex="-1"><i>${icon}</i><input value="3"></div><div tabindex="0"><input></div>`);
  expect((await odd.text()).match(/e\d \w+/g)).toEqual(['e1 textbox', 'e2 generic', 'e3 textbox']);
});

test('shows a checkbox that lets clicks through to its label', async () => {
  const box = '<button role="checkbox" aria-checked="false" style="pointer-events: none"></button>';
  await odd.open(`<label>Large ${box}</label><label style="pointer-events: none">Faded ${box}</label>`);
  expect(await odd.text()).toBe('e1 checkbox "Large" unchecked');
});

test('gives one ref to an item and the icon that is its content', async () => {
  const star = '<li><i class="icon-star" style="display: block; width: 20px; height: 20px; cursor: pointer"></i></li>';
  await odd.open(`<style>.icon-star::before { content: '★' } li { width: 20px }</style><ul>${star.repeat(2)}</ul>
    <script>for (const item of document.querySelectorAll('li')) item.addEventListener('click', () => {})</script>`);
  expect(await odd.text()).toBe(
    'list\n e1 listitem clickable (hint: star 1 of 2)\n e2 listitem clickable (hint: star 2 of 2)',
  );
});

test('gives a ref of its own to an icon that does not fill its item', async () => {
  const item = '<li><i class="icon-star" style="display: block; width: 20px; height: 20px; cursor: pointer"></i></li>';
  await odd.open(`<style>.icon-star::before { content: '★' } li { width: 300px }</style><ul>${item}</ul>
    <script>document.querySelector('li').addEventListener('click', () => {})</script>`);
  expect((await odd.text()).match(/e\d/g)).toEqual(['e1', 'e2']);
});

test('gives a ref to the container of a large canvas, but not to a large container with text', async () => {
  const canvases = '<div><canvas width="900" height="600"></canvas></div>';
  await odd.open(
    page(
      `<div id="graph" style="width: 900px">${canvases}</div><div id="section" style="width: 900px; height: 600px">${canvases}${'Notes '.repeat(20)}</div>`,
      `at('graph').onclick = ${ignore}; at('section').onclick = ${ignore}`,
    ),
  );
  expect(await odd.text()).toMatch(/^e1 generic clickable \(hint: graph, 900×\d+\)\ne2 canvas \(900×600\)\n- Notes/m);
});

test('gives a ref to an `aria-hidden` icon with a click handler', async () => {
  await odd.open(
    page(
      '<span>Like <i id="heart" class="fa fa-heart" aria-hidden="true">+</i></span>',
      `at('heart').onclick = ${ignore}`,
    ),
  );
  expect(await odd.text()).toMatch(/e1 generic .*clickable/);
});

test('marks neither a large container with a listener nor its content as clickable', async () => {
  const items = Array.from({ length: 50 }, (_, index) => `<p>Item ${index}</p>`).join('');
  await odd.open(
    page(
      `<i id="like">Like</i><main id="main"><div id="board">${items}</div><div id="large" style="height: 600px">Text</div></main>`,
      `for (const node of [document, document.body, at('main'), at('board'), at('large'), at('like')]) node.addEventListener('click', ${ignore})`,
    ),
  );
  expect((await odd.text()).match(/.*clickable/g)).toEqual(['e1 generic "Like" clickable']);
});

test('gives one ref to a control whose inner element has the click handler', async () => {
  await odd.open(
    page(
      '<button><span id="label">Save</span></button><a href="/x"><i id="word">More</i></a>',
      `at('label').onclick = ${ignore}; at('word').onclick = ${ignore}`,
    ),
  );
  expect(await odd.text()).toBe('e1 button "Save"\ne3 link "More" #0');
});

test('gives a separate ref to a clickable element inside a button', async () => {
  await odd.open(
    page(
      '<div role="button" tabindex="0">Blue <span id="remove">remove</span></div>',
      `at('remove').onclick = ${ignore}`,
    ),
  );
  expect(await odd.text()).toBe('e1 button "Blue remove"\n e2 generic "remove" clickable');
});

test('gives refs to a clickable card and to the button inside it', async () => {
  await odd.open(page('<div id="card"><p>Blue mug</p><button>Buy</button></div>', `at('card').onclick = ${ignore}`));
  expect(await odd.text()).toBe('e1 generic clickable | Blue mug | e2 button "Buy"');
});

test('observe() finds an element with a click handler, and act() clicks it', async () => {
  await odd.open(
    page(
      '<i id="like">Like</i><output id="out"></output>',
      "at('like').onclick = () => { at('out').textContent = 'Liked' }",
    ),
  );
  const [found] = await odd.driver.observe();
  expect(found).toMatchObject({ method: 'click', description: 'element "Like"' });
  if (found) await odd.driver.act(found);
  expect(await odd.text()).toContain('Liked');
});

describe('delegated framework handlers', () => {
  const delegates = `document.addEventListener('click', ${ignore});`;
  const react = `${delegates} const listen = (element, props) => { element['__reactProps$abc'] = props };`;

  test.each(['onClick', 'onMouseDown', 'onPointerUp', 'onDoubleClick'])('finds the React handler %s', async (name) => {
    await odd.open(
      page(
        '<i id="like">Like</i><b id="other">Other</b>',
        `${react} listen(at('like'), { ${name}() {} }); listen(at('other'), { onScroll() {} })`,
      ),
    );
    expect(await odd.text()).toBe('e1 generic "Like" clickable\n- Other');
  });

  test.each([
    ['Solid', '$$click'],
    ['Svelte 5', '__click'],
  ])('finds a handler of %s', async (_framework, key) => {
    await odd.open(page('<i id="like">Like</i>', `${delegates} at('like')['${key}'] = ${ignore}`));
    expect(await odd.text()).toBe('e1 generic "Like" clickable');
  });

  test('finds a jQuery handler by its selector', async () => {
    await odd.open(
      page(
        '<div id="list"><p><i class="like">Like</i> <b>Other</b></p></div>',
        `${delegates} at('list').jQuery370 = { events: { click: [{ selector: 'b:visible' }, { selector: '> p > .like' }], keyup: [{ selector: 'b' }] } }`,
      ),
    );
    expect(await odd.text()).toBe('e1 generic "Like" clickable\n- Other');
  });

  test.each([
    ['React', "document['_reactListeningabc'] = true", "at('like')['__reactProps$abc'] = { onClick() {} }"],
    ['Solid', "document._$DX_DELEGATE = new Set(['click'])", `at('like').$$click = ${ignore}`],
    ['Svelte 5', "window.__svelte = { v: new Set(['5']) }", `at('like').__click = ${ignore}`],
    [
      'jQuery',
      "window.jQuery = { expando: 'jQuery370' }",
      "at('like').parentNode.jQuery370 = { events: { click: [{ selector: 'i' }] } }",
    ],
  ])('finds a handler of %s deep in a large page', async (_framework, used, keeps) => {
    const rows = '<p>Text</p>'.repeat(1500);
    const like = '<p><i id="like">Like</i></p>';
    await odd.open(page(`${rows}${like}${rows}`, `${delegates} ${used}; ${keeps}`));
    expect(await odd.text()).toContain('e1 generic "Like" clickable');
  });

  test.each([
    ['Solid', "document._$DX_DELEGATE = new Set(['click'])", '$$click = () => {}'],
    ['Svelte 5', "window.__svelte = { v: new Set(['5']) }", '__click = () => {}'],
    ['React', "document.documentElement['__reactProps$abc'] = {}", '__reactProps$abc = { onClick() {} }'],
    ['jQuery', "document.jQuery370 = { events: { click: [{ selector: '.item' }] } }", "className = 'item'"],
  ])('finds an element that %s adds after the first snapshot', async (_framework, used, sets) => {
    await odd.open(page('<p>Text</p><section></section>', `${delegates} ${used}`));
    expect(await odd.text()).toBe('- Text');
    await odd.page.evaluate(
      `document.querySelector('section').append(Object.assign(document.createElement('i'), { textContent: 'Like' })); document.querySelector('i').${sets}`,
    );
    expect(await odd.text()).toBe('- Text\ne1 generic "Like" clickable');
    await odd.page.evaluate("document.body.prepend(document.createElement('hr'))");
    expect(await odd.text()).toContain('e1 generic "Like" clickable');
  });

  test('does not invoke a getter of a handler property', async () => {
    await odd.open(
      page(
        '<i id="like">Like</i>',
        `${react} listen(at('like'), { get onClick() { document.title = 'Noticed'; return () => {} } })`,
      ),
    );
    expect(await odd.text()).toBe('- Like');
    expect(await odd.page.title()).toBe('Odd');
  });
});

describe('`cursor` style', () => {
  test('gives each list item a ref when the list has `cursor: pointer`', async () => {
    await odd.open('<ul style="cursor: pointer"><li>Small</li><li>Medium</li></ul>');
    expect(await odd.text()).toMatch(/e\d+ listitem "?Small"? clickable[^]*e\d+ listitem "?Medium"? clickable/);
  });

  test('gives one ref to a `cursor: pointer` card with different parts', async () => {
    await odd.open('<div style="cursor: pointer"><b>Blue mug</b><span>€ 8.50</span></div>');
    expect(await odd.text()).toBe('e1 generic "Blue mug€ 8.50" clickable');
  });

  const refsOfItems = ['e1 generic "North" clickable', 'e2 generic "South" clickable', 'e3 generic "East" clickable'];

  test.each([
    ['a selected item', '<b class="item on">North</b><b class="item">South</b><b class="item">East</b>'],
    [
      'items with modifiers',
      '<b class="m-item m-item--first">North</b><b class="m-item m-item--active">South</b><b class="m-item">East</b>',
    ],
    ['a wrapper', '<p><b class="item">North</b><b class="item selected">South</b><b class="item">East</b></p>'],
    ['a header', '<b>North</b><p><b class="item is-active">South</b><b class="item">East</b></p>'],
  ])('gives each item a ref in a container with `cursor: pointer` and %s', async (_case, items) => {
    await odd.open(`<style>b { display: block }</style><div style="cursor: pointer">${items}</div>`);
    expect((await odd.text()).split('\n').map((line) => line.replace(/ (?:current|selected)$/, ''))).toEqual(
      refsOfItems,
    );
  });

  test('gives refs to a field with `cursor: pointer` and to the options below it', async () => {
    await odd.open(
      '<div style="cursor: pointer"><div><input readonly value="Red" style="cursor: pointer"></div><div><p class="o">Red</p><p class="o">Blue</p></div></div>',
    );
    expect((await odd.text()).split('\n')).toEqual([
      'e2 textbox = "Red" readonly',
      'e3 paragraph "Red" clickable',
      'e4 paragraph "Blue" clickable',
    ]);
  });

  test.each([
    ['parts of one kind', '<h3>Mug</h3><p><i class="tag">New</i><i class="tag">Blue</i></p>'],
    ['different classes', '<p class="flex">Mug</p><p class="flex mt-2">8.50</p>'],
    ['a rating', '<h3>Mug</h3><p><i class="star on">★</i><i class="star">★</i></p>'],
  ])('gives one ref to a card with `cursor: pointer` and %s', async (_case, parts) => {
    await odd.open(`<div style="cursor: pointer">${parts}</div>`);
    expect((await odd.text()).match(/e\d+ /g)).toHaveLength(1);
  });

  test('gives refs to blank children with `cursor: pointer` that differ in their values', async () => {
    const star = (value: number): string =>
      `<i data-value="${value}" style="display: inline-block; width: 20px; height: 20px; background: gold"></i>`;
    await odd.open(`<p style="cursor: pointer">${star(1)}${star(2)}${star(3)}</p>`);
    expect((await odd.text()).split('\n')).toEqual([
      'e1 generic clickable (hint: value 1)',
      'e2 generic clickable (hint: value 2)',
      'e3 generic clickable (hint: value 3)',
    ]);
  });

  test('gives one ref to a card with `cursor: pointer` whose parts have test IDs', async () => {
    await odd.open('<p style="cursor: pointer"><b data-testid="title">Mug</b><b data-testid="price">8.50</b></p>');
    expect((await odd.text()).match(/e\d+ /g)).toHaveLength(1);
  });

  test.each([
    ['classes', '<li class="divider"></li>'],
    ['more specific classes', '<li class="menu-separator"></li>'],
    ['a role', '<li role="separator"></li>'],
  ])('gives no ref to a divider with `cursor: pointer` between items that has %s', async (_case, divider) => {
    await odd.open(`<style>li { cursor: pointer; height: 9px }</style><ul><li>New</li>${divider}<li>Open</li></ul>`);
    expect(await odd.text()).toMatch(/e1 listitem "New" clickable[^e]*(?:separator\n )?e2 listitem "Open" clickable$/);
  });

  test('gives a ref to a separator that users can move, but not to one that only scripts can focus', async () => {
    await odd.open(
      '<div role="menu"><p role="menuitem">New</p><hr tabindex="-1"></div><hr tabindex="0"><hr tabindex="-1" aria-valuenow="4">',
    );
    expect((await odd.text()).split('\n')).toEqual(['menu', ' e1 menuitem "New"', 'e2 separator', 'e3 separator']);
  });

  test('gives refs to the cells of a header with `cursor: pointer`, and to the texts of a cell', async () => {
    await odd.open(
      `<table><thead style="cursor: pointer"><tr><td>Back</td><td><span>May</span> <span>2024</span></td><td>Next</td></tr></thead>
      <tr><td>1</td><td>2</td><td>3</td></tr></table>`,
    );
    expect(await odd.text()).toContain(
      'row | e1 cell "Back" clickable | e2 generic "May" clickable e3 generic "2024" clickable | e4 cell "Next" clickable',
    );
  });

  test('gives one ref to each row with `cursor: pointer`, and to each column header', async () => {
    const rows = '<tr><td><b>Ada</b> <i>L.</i></td><td>36</td></tr><tr><td>Bob</td><td>41</td></tr>';
    await odd.open(
      `<style>thead, tbody { cursor: pointer }</style><table><thead><tr><th>Name</th><th><span>Age</span> <span>in years</span></th></tr></thead><tbody>${rows}</tbody></table>`,
    );
    expect((await odd.text()).split('\n')).toEqual([
      'table',
      ' row | e1 columnheader "Name" clickable | e2 columnheader "Age in years" clickable',
      ' e3 row clickable | Ada L. | 36',
      ' e4 row clickable | Bob | 41',
    ]);
  });

  test.each(['col-resize', 'nwse-resize', 'grabbing'])(
    'marks an element with the cursor %s as draggable',
    async (cursor) => {
      await odd.open(`<div class="splitter" style="cursor: ${cursor}; width: 8px; height: 80px"></div>`);
      expect(await odd.text()).toBe('e1 generic draggable (hint: splitter)');
    },
  );

  test.each([
    ['move', 'default', 'draggable'],
    ['grab', 'auto', 'draggable'],
    ['pointer', 'default', 'clickable'],
  ])('with the cursor %s on hover and %s otherwise, an element is %s', async (onHover, atRest, state) => {
    await odd.open(
      `<style>.card { cursor: ${atRest} } .card:hover { cursor: ${onHover} }</style><div class="card">Report</div>`,
    );
    expect(await odd.text()).toBe(`e1 generic "Report" ${state}`);
  });
});

describe('items of a container with a listener', () => {
  test.each([
    ['a list with a mousedown listener', '<ul id="list"><li>Milk</li><li>Bread</li></ul>', 'mousedown'],
    ['a list with a click listener', '<ul id="list"><li>Milk</li><li>Bread</li></ul>', 'click'],
    [
      'a board of plain boxes with a pointerdown listener',
      '<div id="list"><div>Milk</div><div>Bread</div></div>',
      'pointerdown',
    ],
  ])('gives refs to the items of %s', async (_case, body, type) => {
    await odd.open(page(body, `at('list').addEventListener('${type}', ${ignore})`));
    expect(await odd.text()).toMatch(/e\d+ \w+ "Milk" clickable\n ?e\d+ \w+ "Bread" clickable$/);
    expect(await odd.text()).not.toMatch(/list clickable/);
  });

  test('gives no refs to children that are parts of a layout', async () => {
    await odd.open(
      page(
        '<i id="like">Like</i><div id="layout"><header>Title</header><p>Text</p><p>More text</p></div><div id="paragraphs"><p>One</p><p>Two</p></div>',
        `for (const id of ['layout', 'paragraphs', 'like']) at(id).onmousedown = ${ignore}`,
      ),
    );
    expect((await odd.text()).match(/.*clickable/g)).toEqual(['e1 generic "Like" clickable']);
  });

  test('gives separate refs to the icons of an item', async () => {
    const item = (name: string): string =>
      `<li><b class="handle">⋮⋮</b><span>${name}</span><i class="remove">✖</i></li>`;
    await odd.open(page(`<ul id="list">${item('Milk')}${item('Bread')}</ul>`, `at('list').onpointerdown = ${ignore}`));
    expect(await odd.text()).toMatch(/clickable \| e\d+ .*hint: handle\) \| Milk \| e\d+ .*hint: remove\)/);
  });

  test('gives refs to the empty checkboxes of items, but not to their status dots', async () => {
    const box = '<i style="display: inline-block; width: 14px; height: 14px; border: 1px solid #888"></i>';
    const dot =
      '<b style="display: inline-block; width: 14px; height: 14px; border: 1px solid #888; background: green"></b>';
    const item = (name: string): string => `<li>${box} <span>${name}</span> ${dot}</li>`;
    await odd.open(page(`<ul id="list">${item('Milk')}${item('Bread')}</ul>`, `at('list').onclick = ${ignore}`));
    expect((await odd.text()).split('\n').map((line) => line.trim())).toEqual([
      'list',
      'e1 listitem clickable | e2 generic clickable | Milk',
      'e3 listitem clickable | e4 generic clickable | Bread',
    ]);
  });

  test('gives no refs to the indents of items', async () => {
    const style = '<style>i { display: inline-block; width: 16px } i::before { content: "\\a0" }</style>';
    const item = (name: string): string => `<li><i></i><span>${name}</span></li>`;
    await odd.open(
      page(`${style}<ul id="list">${item('Milk')}${item('Bread')}</ul>`, `at('list').onclick = ${ignore}`),
    );
    expect((await odd.text()).split('\n').map((line) => line.trim())).toEqual([
      'list',
      'e1 listitem "Milk" clickable',
      'e2 listitem "Bread" clickable',
    ]);
  });

  test('gives a ref to the icon in a cell without text', async () => {
    const icon = '<svg class="trash" width="16" height="16"><path d="M0 0L9 9"/></svg>';
    await odd.open(
      page(
        `<table><tr><th>Name</th><th></th></tr><tr id="row"><td>Milk</td><td>${icon}</td></tr></table>`,
        `at('row').onclick = ${ignore}`,
      ),
    );
    expect(await odd.text()).toMatch(/e\d+ row clickable[^]*e\d+ img clickable \(hint: trash\)/);
  });
});

test('shows the toggle of an expandable tree item, and no other icon', async () => {
  const icon = (name: string): string => `<svg class="${name}" width="16" height="16"><path d="M0 0L9 9"/></svg>`;
  const item = (states: string, icons: string): string =>
    `<div role="treeitem" tabindex="0" ${states}>${icons}<span>Trees</span></div>`;
  await odd.open(
    `<div role="tree">${item('aria-expanded="false"', icon('chevron') + icon('folder'))}${item('', icon('leaf'))}</div>`,
  );
  expect(await odd.text()).toMatch(/treeitem "Trees" collapsed\n +e\d+ img clickable \(hint: chevron\)/);
  expect(await odd.text()).not.toMatch(/folder|leaf/);
});

test('shows the checkboxes of tree items beside their toggles', async () => {
  const box = '<i style="display: inline-block; width: 14px; height: 14px; border: 1px solid #888"></i>';
  const ticked = '<svg class="tree-checkbox" width="16" height="16"><path d="M0 0L9 9"/></svg>';
  const item = (states: string, content: string): string =>
    `<div role="treeitem" tabindex="0" ${states}>${content}</div>`;
  await odd.open(
    `<div role="tree">${item('aria-expanded="false"', `${box}<b>▸</b> Trees`)}${item('', `${ticked} Birds <b>★</b>`)}</div>`,
  );
  expect((await odd.text()).split('\n').map((line) => line.trim())).toEqual([
    'tree',
    'e1 treeitem "▸ Trees" collapsed',
    'e2 generic clickable',
    'e3 generic "▸" clickable',
    'e4 treeitem "Birds ★"',
    'e5 img clickable (hint: tree checkbox)',
  ]);
});

test('gives no ref to a wrapper with the role of the field in it', async () => {
  await odd.open(
    '<div role="textbox" aria-labelledby="q"><h5 id="q">Your name?</h5><input aria-label="Name"></div><div role="textbox" aria-label="Mail">a@b.example</div>',
  );
  expect((await odd.text()).split('\n')).toEqual([
    'heading 5 "Your name?"',
    'e1 textbox "Name"',
    'e2 textbox "Mail" = "a@b.example"',
  ]);
});

test('gives refs to the rail of a slider and to its thumb', async () => {
  const thumb =
    '<span class="thumb" tabindex="0" style="position: absolute; left: 40%; width: 12px; height: 12px"></span>';
  await odd.open(
    page(
      `<div id="rail" class="rail" style="position: relative; width: 200px; height: 12px">${thumb}</div>`,
      `at('rail').onmousedown = ${ignore}`,
    ),
  );
  expect(await odd.text()).toMatch(/e\d+ generic clickable \(hint: rail\)\n e\d+ generic .*thumb/);
});

test('gives a ref to a tool that appears on hover', async () => {
  const style = '.tool { cursor: pointer; opacity: 0 } .card:hover .tool { opacity: 1 } .off { opacity: 0 }';
  const off = '<b class="off" style="cursor: pointer">Off</b>';
  await odd.open(
    `<style>${style}</style><div style="height: 400px"></div><div class="card">Milk <b class="tool" title="Edit">✎</b></div>${off}`,
  );
  expect(await odd.text()).toBe('- Milk\ne1 generic "Edit" clickable');
});

test('gives no hint for a line of an editor that is only a bracket', async () => {
  await odd.open(
    '<div style="cursor: text"><div>if (a) {</div><div><span class="bracket-highlighting">}</span></div></div>',
  );
  expect((await odd.text()).split('\n').at(-1)).toBe('e3 generic "}" clickable');
});

test('gives refs to the lines of an editor with `cursor: text`', async () => {
  await odd.open('<p>Intro</p><div style="cursor: text"><div>let a = 1;</div><div>let b = 2;</div></div>');
  expect(await odd.text()).toBe('- Intro\ne2 generic "let a = 1;" clickable\ne3 generic "let b = 2;" clickable');
});

test('gives a ref to an `aria-hidden` element with `cursor: pointer`', async () => {
  await odd.open('<div aria-hidden="true"><i style="cursor: pointer" title="Fold">▾</i><i title="Line">4</i></div>');
  expect(await odd.text()).toMatch(/e1 generic "Fold" clickable/);
  expect(await odd.text()).not.toMatch(/e2/);
});

test.each(['open', 'closed'])('finds listeners in %s shadow roots', async (mode) => {
  await odd.open(
    page(
      '<div id="host"></div>',
      `const root = at('host').attachShadow({ mode: '${mode}' }); root.innerHTML = '<i>Like</i><b>Other</b>'; root.firstChild.onclick = ${ignore}`,
    ),
  );
  expect(await odd.text()).toBe('e1 generic "Like" clickable\n- Other');
});

test('merges a focusable host and its only clickable part into one line', async () => {
  await odd.open(
    page(
      '<section tabindex="0" id="host"></section>',
      `const root = at('host').attachShadow({ mode: 'open' }); root.innerHTML = '<div>Video</div>'; root.firstChild.onclick = ${ignore}`,
    ),
  );
  expect(await odd.text()).toBe('e1 generic "Video"');
});

test('gives no ref to a clickable wrapper that holds only a field and its label', async () => {
  await odd.open(
    page(
      '<div id="box"><label for="name">Name</label><span>Name</span><input id="name"></div>',
      `at('box').onclick = ${ignore}`,
    ),
  );
  expect(await odd.text()).toBe('- Name\ne2 textbox "Name"');
});

test('reads listeners that frames and their parent add to each other without a crash', async () => {
  const inner = `<b id='y' onclick='1'>Inner</b><script>parent.document.getElementById('at').addEventListener('click', () => {})</script>`;
  await odd.open(
    page(
      `<i id="at">Outer</i><iframe id="frame" srcdoc="${inner}"></iframe><iframe srcdoc="${inner}"></iframe>`,
      `at('frame').onload = () => { at('frame').contentWindow.addEventListener('click', ${ignore}); at('frame').contentDocument.body.onclick = ${ignore} }`,
    ),
  );
  expect(await odd.text()).toMatch(
    /e1 generic "Outer" clickable[^]*generic "Inner" clickable[^]*generic "Inner" clickable/,
  );
});

test('finds the listeners of all frames if their documents are queried at the same time', async () => {
  const inner = '<b>Inner</b><script>document.querySelector(`b`).addEventListener(`click`, () => {})</script>';
  for (let load = 0; load < 10; load += 1) {
    await odd.open(
      page(`<i id="at">Outer</i>${`<iframe srcdoc="${inner}"></iframe>`.repeat(8)}`, `at('at').onclick = ${ignore}`),
    );
    expect((await odd.text()).match(/"(?:Outer|Inner)" clickable/g)).toHaveLength(9);
  }
});

test('shows a new listener in all snapshots that are taken at the same time', async () => {
  await odd.open('<i id="at">Outer</i>');
  await odd.text();
  await odd.page.evaluate(`document.getElementById('at').addEventListener('click', () => {})`);
  const texts = await Promise.all([odd.text(), odd.text(), odd.text()]);
  expect(texts).toEqual(Array(3).fill('e1 generic "Outer" clickable'));
});

test('shows a new closed shadow root in all snapshots that are taken at the same time', async () => {
  await odd.open('<p>Before</p>');
  await odd.text();
  await odd.page.evaluate(
    `document.body.appendChild(document.createElement('x-host')).attachShadow({ mode: 'closed' }).innerHTML =
      '<button>Closed</button>'`,
  );
  const texts = await Promise.all([odd.text(), odd.text(), odd.text()]);
  for (const text of texts) expect(text).toContain('button "Closed"');
});

test('shows a second listener of an element, and no longer one that was removed', async () => {
  await odd.open(page('<div id="at"><b>Open</b> details</div>', `at('at').onmousedown = ${ignore}`));
  expect(await odd.text()).not.toContain('clickable');
  await odd.page.evaluate(`document.getElementById('at').onclick = ${ignore}`);
  expect(await odd.text()).toContain('clickable');
  await odd.page.evaluate(`document.getElementById('at').onclick = document.getElementById('at').onmousedown = null`);
  await odd.text();
  await expect.poll(() => odd.text()).not.toContain('clickable');
});

test('keeps the listeners of a shadow root when a frame appears', async () => {
  await odd.open(
    page(
      '<section id="host"></section>',
      `at('host').attachShadow({ mode: 'open' }).innerHTML = '<div>Open</div>'; at('host').shadowRoot.firstChild.onclick = ${ignore}`,
    ),
  );
  expect(await odd.text()).toContain('"Open" clickable');
  await odd.page.evaluate(
    `document.body.append(Object.assign(document.createElement('iframe'), { srcdoc: '<p>Ad</p>' }))`,
  );
  for (let time = 0; time < 3; time += 1) expect(await odd.text()).toContain('"Open" clickable');
});

test('keeps a delegated handler when the own listener of an element is removed', async () => {
  await odd.open(
    page(
      '<div id="root"><i id="at">Thing</i></div>',
      `at('root').onclick = ${ignore}; at('at').__reactProps$x = { onClick: ${ignore} }; at('at').onclick = ${ignore}`,
    ),
  );
  expect(await odd.text()).toContain('"Thing" clickable');
  await odd.page.evaluate(`document.getElementById('at').onclick = null`);
  for (let time = 0; time < 3; time += 1) expect(await odd.text()).toContain('"Thing" clickable');
});
