import { describe, expect, test } from 'vitest';
import { oddPages } from './odd-page.ts';

const odd = oddPages();

describe('snapshots of unusual pages', () => {
  test('reads an application positioned over a body without height', async () => {
    await odd.open(`<style>html, body { overflow: hidden; margin: 0 } #app { position: absolute; inset: 0 }</style><body><div id="app">Flows <p>Palette</p>
    <div style="position: absolute; width: 1px; height: 1px; overflow: hidden"><a href="#main">Skip to the flow</a></div></div>`);
    expect(await odd.text()).toBe('- Flows\n- Palette\ne1 link "Skip to the flow" #0');
  });

  test('omits the content of a box without height, but not elements positioned against an outer box', async () => {
    await odd.open(`<div style="height: 0; overflow: hidden">cut <span style="position: relative">cut too <b style="position: absolute">and this</b></span>
    <div style="position: absolute">stands out</div></div>
    <div style="height: 0; overflow: hidden; position: relative">cut <div style="position: absolute">cut as well</div><div style="position: fixed; top: 200px">fixed</div></div>`);
    expect(await odd.text()).toBe('- stands out\n- fixed');
  });

  test('reads options that are slotted into a listbox of a shadow root', async () => {
    await odd.open(`<my-select><my-option role="option" aria-selected="true">Bowl</my-option><my-option role="option">Jug</my-option></my-select>
    <script>customElements.define('my-select', class extends HTMLElement { constructor() { super();
      this.attachShadow({ mode: 'open' }).innerHTML = '<div role="listbox" aria-label="Pots"><slot></slot></div>'; } })</script>`);
    expect(await odd.text()).toBe('e1 listbox "Pots"\n e2 option "Bowl" selected\n e3 option "Jug"');
    expect(await odd.page.locator('role=option[name="Jug"]').count()).toBe(1);
  });

  test('omits a clickable wrapper around a button, unless it has text of its own', async () => {
    await odd.open(`<style>.hand { cursor: pointer }</style><div class="hand"><button>Book</button></div><div class="hand">Details <button>Edit</button></div>
    <div class="hand" onclick="this"><button>Open</button></div><span title="Copy path"><button>Copy path</button></span><div tabindex="0"></div>`);
    const text = (await odd.text()).replace(/\be\d+ /g, '');
    expect(text).toBe('button "Book"\ngeneric clickable | Details | button "Edit"\nbutton "Open"\nbutton "Copy path"');
  });

  test('omits collapsed content until it expands, but keeps collapsed inputs with a label', async () => {
    await odd.open(`<style>#panel { max-height: 0; overflow: hidden } #panel.open { max-height: 300px }</style>
    <button onclick="panel.classList.toggle('open')">Filter</button><div id="panel"><a href="#a">By price</a><button>Apply</button></div>
    <div style="width: 0; height: 0; overflow: hidden"><input type="checkbox" id="gift"><input type="file" id="file" aria-label="Photo"></div><label for="gift">Gift wrap</label>`);
    expect(await odd.text()).toBe('e1 button "Filter"\ne2 checkbox "Gift wrap" unchecked\ne3 button "Photo"');
    await odd.act('button');
    expect(await odd.text()).toContain('link "By price"');
  });

  test('omits icon font glyphs, soft hyphens and zero-width spaces from names and text', async () => {
    await odd.open(
      `<button><i>\u{F002}</i> Search</button><button><i>\u{E5CD}</i></button><p>\u{F0C9} extra\u{AD}ordinary</p><a href="#x">get \u{200B}/loans</a>`,
    );
    expect(await odd.text()).toBe('e1 button "Search"\ne2 button\n- extraordinary\ne3 link "get /loans" #0');
    expect(await odd.page.locator('role=button[name="Search"]').count()).toBe(1);
    expect(await odd.page.locator('role=link[name="get /loans"]').count()).toBe(1);
  });

  test('shows the line breaks of an editor', async () => {
    await odd.open(`<div contenteditable><p>First</p><p>Second<br>third</p></div>`);
    expect(await odd.text()).toBe('e1 generic = "First\\nSecond\\nthird" editable');
  });

  test('shows the values of progress bars and meters, and lists media players and canvases', async () => {
    await odd.open(`<progress value="3" max="10"></progress><meter value="0.4"></meter><video controls aria-label="Tour"></video><audio controls></audio>
    <canvas onclick="this.width = 10" aria-label="Board"></canvas>`);
    expect(await odd.text()).toBe(
      'progressbar = "3"\nmeter = "0.4"\ne1 video "Tour"\ne2 audio\ne3 canvas "Board" clickable (300×150)',
    );
  });

  test('gives refs to draggable elements, and to a `cursor: pointer` element in a focusable one', async () => {
    await odd.open(`<ul><li draggable="true">Write tests</li></ul><svg width="200" height="40"><g style="cursor: move"><text y="20">Greeting</text></g></svg>
    <div tabindex="0">Rooms <span style="cursor: pointer">Cellar <b>2</b></span></div><div role="button" tabindex="0" draggable="true"><span style="cursor: pointer">Fix login</span></div>`);
    expect(await odd.text()).toBe(
      'e6 list droppable\n e1 listitem "Write tests" draggable\ne2 generic "Greeting" draggable\ne3 generic | Rooms | e4 generic "Cellar 2" clickable\ne5 button "Fix login" draggable',
    );
  });

  test.each([
    ['has no box', '<div id="host" style="display: contents"></div>'],
    ['has no box and contains text', '<div id="host" style="display: contents">Unseen</div>'],
    ['has no size', '<div id="host" style="width: 0; height: 0"></div>'],
    ['has no size and contains text', '<div id="host" style="width: 0; height: 0; overflow: visible">Unseen</div>'],
    ['has a height of zero', '<div id="host"></div>'],
    ['is painted', '<div id="host" style="background: beige; border: 1px solid"></div>'],
    ['shows its text by a slot', '<div id="host">Words</div>'],
    ['shows its elements by a slot', '<section id="host"><p>Words</p></section>'],
  ])('reads, counts and clicks a button in a closed shadow root whose host %s', async (_how, host) => {
    const open = (): Promise<void> =>
      odd.open(`${host}<script>document.getElementById('host').attachShadow({ mode: 'closed' }).innerHTML =
      '<slot></slot><button style="position: fixed; top: 90px" onclick="this.textContent = \\'Called\\'">Call</button>'</script>`);
    await open();
    expect(await odd.text()).toContain('button "Call"');
    await open();
    expect(await odd.page.locator('button').count()).toBe(1);
    await open();
    expect(await odd.page.locator('button').all()).toHaveLength(1);
    await open();
    await odd.page.locator('text=Call').click();
    expect(await odd.page.locator('xpath=//button').textContent()).toBe('Called');
  });

  test('finds elements in a closed shadow root while the new document is explored', async () => {
    await odd.open('<p>First</p>');
    await odd.text();
    for (let load = 0; load < 20; load += 1) {
      await odd.open(`<p id="host" style="display: contents"></p>
        <script>document.getElementById('host').attachShadow({ mode: 'closed' }).innerHTML = '<button>Call</button>'</script>`);
      for (const _ of [1, 2, 3, 4]) expect(await odd.page.locator('button').count()).toBe(1);
    }
  });

  test('finds a closed shadow root that was attached after a first lookup', async () => {
    await odd.open('<div id="host"></div>');
    expect(await odd.page.locator('#call').count()).toBe(0);
    await odd.page.evaluate(
      `document.getElementById('host').attachShadow({ mode: 'closed' }).innerHTML = '<button id="call" style="position: fixed">Call</button>'; 0`,
    );
    await odd.page.locator('#call').click();
    expect(await odd.page.locator('#call').count()).toBe(1);
    expect(await odd.text()).toContain('button "Call"');
  });
});

describe('large pages', () => {
  test('observes all of 10,000 links, with a selector that matches a single link', async () => {
    await odd.open(
      `<ul></ul><script>document.querySelector('ul').innerHTML = Array.from({ length: 10_000 }, (_, i) => '<li><a href="#' + i + '">Item ' + i + '</a>').join('')</script>`,
    );
    const actions = await odd.driver.observe();
    expect(actions).toHaveLength(10_000);
    expect(actions.at(-1)).toMatchObject({
      selector: 'xpath=/html[1]/body[1]/ul[1]/li[10000]/a[1]',
      description: 'link "Item 9999"',
    });
    expect(await odd.page.locator(actions[5000]?.selector ?? '').textContent()).toBe('Item 5000');
    expect(await odd.page.locator(actions[5000]?.selector ?? '').count()).toBe(1);
  });

  const dialogs = '<dialog id="ask"><button>Yes</button></dialog><dialog id="edit"><button>Save</button></dialog>';

  test.each([
    ['edit', 'ask', 'Yes'],
    ['ask', 'edit', 'Save'],
  ])('of two modal dialogs, %s and then %s, shows the one that was opened last', async (first, second, name) => {
    await odd.open(`${dialogs}<script>${first}.showModal(); ${second}.showModal()</script>`);
    const text = await odd.text();
    expect(text).toMatch(new RegExp(`e\\d+ button "${name}"`));
    expect(text.match(/button/g)).toHaveLength(1);
    await expect(odd.act(`text=${name}`)).resolves.toBeDefined();
  });

  test('shows a modal dialog of a shadow root, and nothing behind it', async () => {
    await odd.open(`<button>Behind</button><x-box></x-box><script>
      const root = document.querySelector('x-box').attachShadow({ mode: 'open' });
      root.innerHTML = '<dialog><button>Close</button></dialog>'; root.querySelector('dialog').showModal()</script>`);
    const text = await odd.text();
    expect(text).toMatch(/e\d+ button "Close"/);
    expect(text).not.toContain('Behind');
  });

  test.each([
    [
      'a class beyond ASCII',
      '<style>.größe::before { content: "XL" }</style><button class="größe"></button>',
      'e1 button "XL"',
    ],
    [
      'a nested rule for hover',
      '<style>.x { &:hover { cursor: pointer } }</style><div class="x">Open</div>',
      'e1 generic "Open" clickable',
    ],
    [
      'a nested rule for markers',
      '<style>ol { list-style: none; & li::marker { content: "Step: " } }</style><ol><li>Mix</li></ol>',
      'Step: Mix',
    ],
    [
      'an imported rule for hover',
      '<style>@import url("data:text/css,.x:hover{cursor:pointer}");</style><div class="x">Open</div>',
      'e1 generic "Open" clickable',
    ],
    [
      'a fixed box that a transformed ancestor holds',
      '<div style="transform: translateZ(0); height: 3000px"><p style="position: fixed; top: 2500px">Terms</p></div>',
      '- Terms',
    ],
    ['a fixed box below the viewport', '<p style="position: fixed; top: 2500px">Terms</p>Shown', '- Shown'],
    [
      'a fixed button in a collapsed and transformed box',
      '<div style="height: 0; overflow: hidden; transform: translateX(0)"><button style="position: fixed">Hidden</button></div>Shown',
      '- Shown',
    ],
    [
      'a fixed button in a collapsed box',
      '<div style="height: 0; overflow: hidden"><button style="position: fixed">Fixed</button></div>',
      'e1 button "Fixed"',
    ],
    [
      'a name that is indented by 150 pixels',
      '<div onclick="1" style="text-indent: -150px; overflow: hidden; width: 40px; height: 40px">Home</div>',
      'e1 generic "Home" clickable',
    ],
    [
      'a name that is indented by its width',
      '<div onclick="1" style="text-indent: 100%; white-space: nowrap; overflow: hidden; width: 40px; height: 40px">Home</div>',
      'e1 generic "Home" clickable',
    ],
    [
      'a label of a field with a missing reference',
      '<label for="x">Name</label><input id="x" aria-labelledby="missing">',
      'e1 textbox "Name"',
    ],
    [
      'a table with two presentational roles',
      '<table role="none presentation"><tr><td>One<td>Two</table>',
      '- One\n- Two',
    ],
    ['a list with a role in capitals', '<ul role="NONE"><li>One<li>Two</ul>', '- One\n- Two'],
    [
      'a description that begins like a hint',
      '<div tabindex="0" aria-description="hint: opens a new tab"><div onclick="1">Open</div></div>',
      'e1 generic "Open" (hint: opens a new tab)',
    ],
  ])('%s', async (_, html, expected) => {
    await odd.open(html);
    const text = await odd.text();
    expect(expected.startsWith('- ') ? [text] : text).toContain(expected);
  });
});
