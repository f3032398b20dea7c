import { describe, expect, test } from 'vitest';
import { oddPages } from './odd-page.ts';

const odd = oddPages();

const TABLE = '<tr><th>A<th>B<tr><td>1<td>2';
const FAR_LEFT = 'position: absolute; left: -300px';

const CUT_SELECT = 'position: absolute; width: 1px; height: 1px; overflow: hidden; clip: rect(0 0 0 0)';

describe('snapshot of controls that style sheets draw', () => {
  test.each([
    [
      'a line break in generated text',
      '<style>.br::before { content: "\\A"; white-space: pre }</style><p>First<span class="br"></span>Second</p><button class="br">Save</button>',
      ['- First Second', 'e1 button "Save"'],
    ],
    [
      'codes of characters in generated text',
      '<style>p::before { content: "\\201C Quote \\41 bc\\A next" }</style><p></p>',
      ['- “Quote Abc next'],
    ],
    [
      'the text of a marker',
      '<style>.x::marker { content: "Step" } .y::marker { content: "Gone"; color: #fff }</style><ul><li class="x">One<li class="y">Two<li>Three</ul>',
      ['list', ' listitem "Step One"', ' listitem "Two"', ' listitem "Three"'],
    ],
    [
      'the caption of a table with another name',
      `<table aria-label="Prices"><caption>In euros</caption>${TABLE}</table>`,
      ['table "Prices"', ' - In euros', ' row | A | B', ' row | 1 | 2'],
    ],
    [
      'the legend of a group with another name',
      '<fieldset aria-label="Pets"><legend>Your pets</legend><input type="checkbox" aria-label="Cat"></fieldset>',
      ['group "Pets"', ' - Your pets', ' e1 checkbox "Cat" unchecked'],
    ],
    [
      'the label of a select that a field replaces',
      '<label for="s">Size</label><input readonly value="Large"><div style="width: 0; height: 0; overflow: hidden"><select id="s" tabindex="-1"><option>Large</select></div>',
      ['- Size', 'e1 textbox = "Large" readonly'],
    ],
    [
      'the label of a select that is hidden from accessibility',
      '<label for="s">Size</label><select id="s" aria-hidden="true" tabindex="-1" style="opacity: 0; pointer-events: none"><option>Large</select>',
      ['- Size'],
    ],
    [
      'the widget beside a select that is cut off, with the label of the select',
      `<label for="s">Size</label><select id="s" tabindex="-1" style="${CUT_SELECT}"><option>Small<option>Large</select><div role="combobox" tabindex="0">Small</div>`,
      ['- Size', 'e1 combobox "Size" = "Small"'],
    ],
    [
      'the widget beside the element with the label and the select',
      `<p><label for="s">Size</label><select id="s" tabindex="-1" style="${CUT_SELECT}"><option>Small</select></p><div role="combobox" tabindex="0">Small</div>`,
      ['- Size', 'e1 combobox "Size" = "Small"'],
    ],
    [
      'the widget around a transparent list of options',
      `<label for="s">Colors</label><div role="combobox" tabindex="0"><div><select id="s" multiple tabindex="-1" style="opacity: 0"><option>Red<option>Blue</select><i>Red</i></div></div>`,
      ['- Colors', 'e1 combobox "Colors"', ' - Red'],
    ],
    [
      'a select that is cut off, but has no widget',
      `<label for="s">Size</label><select id="s" tabindex="-1" style="${CUT_SELECT}"><option>Small<option>Large</select><p>Text</p>`,
      ['e1 combobox "Size" = "Small" options "Small", "Large"', '- Text'],
    ],
    [
      'a visible select outside of the tab order beside a widget',
      '<select aria-label="Size" tabindex="-1"><option>Small</select><div role="combobox" aria-label="Color" tabindex="0">Red</div>',
      ['e1 combobox "Size" = "Small" options "Small"', 'e2 combobox "Color" = "Red"'],
    ],
    [
      'a select that is cut off, but that keys reach',
      `<select aria-label="Size" style="${CUT_SELECT}"><option>Small</select><div role="combobox" aria-label="Color" tabindex="0">Red</div>`,
      ['e1 combobox "Size" = "Small" options "Small"', 'e2 combobox "Color" = "Red"'],
    ],
    [
      'a cursor on hover by a list of selectors',
      '<style>.none b:hover, .menu .item:hover { cursor: pointer }</style><div class="menu"><a class="item">Home</a></div>',
      ['e1 generic "Home" clickable'],
    ],
    [
      'the value of a box without a name',
      '<input type="radio" name="color" value="azure">',
      ['e1 radio unchecked (hint: azure)'],
    ],
    [
      'the visible text beside a transparent box',
      '<div><input type="checkbox" style="opacity: 0"><label>Dark mode<b hidden>Hidden</b></label><script>let x</script></div>',
      ['e1 checkbox unchecked (hint: Dark mode)', '- Dark mode'],
    ],
    ['no generated value of a box', '<input type="radio" value="tok_92348abcdef">', ['e1 radio unchecked']],
    [
      'a link whose content takes clicks',
      '<a href="#1" style="pointer-events: none"><b style="pointer-events: auto">One</b></a>',
      ['e1 link "One" #0'],
    ],
    [
      'content placed by a box without height',
      '<div style="position: absolute; inset: 0 0 auto; height: 0"><div style="position: absolute; top: 50px"><div style="cursor: pointer">Pear</div></div></div>',
      ['e1 generic "Pear" clickable'],
    ],
    [
      'no hidden generated text in a name',
      '<style>b::after { content: attr(data-text); display: block; visibility: hidden; height: 0 }</style><button><b data-text="First">First</b></button>',
      ['e1 button "First"'],
    ],
    [
      'the places of stars',
      `<div>${'<i class="star" style="cursor: pointer">★</i>'.repeat(2)}</div>`,
      ['e1 generic "★" clickable (hint: star 1 of 2)', 'e2 generic "★" clickable (hint: star 2 of 2)'],
    ],
    [
      'the place of a radio button in its set',
      '<b role="radio" aria-checked="false" tabindex="0" aria-posinset="2" aria-setsize="5"></b>',
      ['e1 radio unchecked (hint: 2 of 5)'],
    ],
    [
      'no state of a box that shows none',
      '<b role="checkbox" tabindex="0">Dark</b><b role="switch" tabindex="0" class="unchecked not-selected">Sound</b>',
      ['e1 checkbox "Dark"', 'e2 switch "Sound"'],
    ],
    [
      'the state of a box by its class',
      '<b role="checkbox" tabindex="0" class="box is-checked">Dark</b><b role="switch" tabindex="0" class="indeterminate">Sound</b>',
      ['e1 checkbox "Dark" checked', 'e2 switch "Sound" mixed'],
    ],
    [
      'the states of boxes by their items',
      `<ul role="tree" aria-multiselectable="true">${[
        '<li role="treeitem" aria-selected="true"><b role="checkbox">-</b>Apple',
        '<li role="treeitem" aria-selected="false"><b role="checkbox">-</b>Pear',
        '<li role="treeitem" aria-selected="false"><span class="node-partsel"><b role="checkbox">-</b>Plum</span>',
        '<li role="treeitem" aria-selected="true"><span class="node-partsel node-selected"><b role="checkbox">-</b>Fig</span>',
      ].join('')}</ul>`,
      [
        'tree multiselectable',
        ' e1 treeitem "- Apple" selected',
        '  e2 checkbox "-" checked',
        ' e3 treeitem "- Pear"',
        '  e4 checkbox "-" unchecked',
        ' e5 treeitem "- Plum"',
        '  e6 checkbox "-" mixed',
        ' e7 treeitem "- Fig" selected',
        '  e8 checkbox "-" checked',
      ],
    ],
    [
      'no state by the current item of a tree',
      '<ul role="tree"><li role="treeitem" aria-selected="true"><b role="checkbox">-</b>Apple</ul>',
      ['tree', ' e1 treeitem "- Apple" selected', '  e2 checkbox "-"'],
    ],
    [
      'the directions of handles',
      '<i class="point" data-way="e" style="cursor: pointer">·</i><i class="point" data-way="n" style="cursor: pointer">·</i>',
      ['e1 generic "·" clickable (hint: point e)', 'e2 generic "·" clickable (hint: point n)'],
    ],
    [
      'the part of a shadow root',
      '<div><template shadowrootmode="open"><button part="field-button increase-button"></button></template></div>',
      ['e1 button (hint: field increase)'],
    ],
    [
      'a selected day, but not its icon',
      '<style>b, i { cursor: pointer }</style><div><b class="day -selected-">1<i class="dot">×</i></b><b class="day">2</b></div>',
      ['e1 generic "1×" clickable selected', 'e2 generic "2" clickable'],
    ],
    ['no field without a size', '<p>One</p><input aria-label="Tags" style="transform: scale(0)">', ['- One']],
    [
      'a control with a part that takes clicks',
      '<a href="#1" style="pointer-events: none"><template shadowrootmode="open"></template>One</a><button style="pointer-events: none">Two</button>',
      ['e1 link "One" disabled #0', 'e2 button "Two" disabled'],
    ],
    [
      'links with classes about other states',
      '<style>a { cursor: default }</style><a href="#1" class="hide-disabled">One</a><hr><a href="#2" class="ui-state-disabled">Two</a>',
      ['e1 link "One" #0', 'e2 link "Two" disabled #1'],
    ],
    [
      'an item with the class of disabled ones and without the cursor of its siblings',
      `<style>.o { cursor: pointer } .o.is-disabled { cursor: default; color: #999 }</style><div id="list"><div class="o">Small</div><div class="o is-disabled">Huge</div></div>
      <ul><li class="o is-disabled">Old</li><li class="o">New</li></ul>
      <script>for (const list of document.querySelectorAll('#list, ul')) list.addEventListener('click', () => undefined)</script>`,
      [
        'e1 generic "Small" clickable',
        'e2 generic "Huge" disabled clickable',
        'list',
        ' e3 listitem "Old" disabled clickable',
        ' e4 listitem "New" clickable',
      ],
    ],
    [
      'an option with the class of disabled ones and without the cursor of its siblings',
      '<style>b { cursor: pointer } .disabled { cursor: default }</style><div role="listbox" aria-label="Size"><b role="option" tabindex="0">Small</b><b role="option" tabindex="0" class="disabled">Huge</b></div>',
      ['e1 listbox "Size"', ' e2 option "Small"', ' e3 option "Huge" disabled'],
    ],
    [
      'items with the class of disabled ones as enabled, if all have the same cursor',
      `<div id="list"><div class="o">Small</div><div class="o disabled">Huge</div></div><ul style="cursor: pointer"><li>Old</li><li class="disabled">New</li></ul>
      <script>list.addEventListener('click', () => undefined)</script>`,
      [
        'e1 generic "Small" clickable',
        'e2 generic "Huge" clickable',
        'list',
        ' e3 listitem "Old" clickable',
        ' e4 listitem "New" clickable',
      ],
    ],
    [
      'a control that something lets clicks through to',
      '<div style="position: relative; width: 200px; height: 40px"><button style="width: 200px; height: 40px">B</button><div style="position: absolute; inset: 0; background: #fff; pointer-events: none"></div></div>',
      ['e1 button "B"'],
    ],
    [
      'radio buttons as tabs',
      '<div role="tablist"><input type="radio" role="tab" aria-label="One"><input type="radio" role="tab" aria-label="Two" checked></div>',
      ['tablist', ' e1 tab "One"', ' e2 tab "Two" selected'],
    ],
    [
      'a link that lets clicks through',
      '<a href="#1" style="pointer-events: none">One</a> <a href="#2" style="cursor: not-allowed">Two</a>',
      ['e1 link "One" disabled #0', 'e2 link "Two" disabled #1'],
    ],
    [
      'a link in a disabled item',
      '<style>a { cursor: default }</style><ul><li class="page-item disabled"><a href="#1">Back</a></li><li><a href="#2">1</a></li></ul>',
      ['list', ' e1 link "Back" disabled #0', ' e2 link "1" #1'],
    ],
    [
      'the current item above its submenu',
      '<style>a { cursor: pointer }</style><ul><li><a>Home</a></li><li><a class="is-active">Team</a><ul><li><a>Members</a></li></ul></li></ul>',
      [
        'list',
        ' e1 generic "Home" clickable',
        ' listitem',
        '  e2 generic "Team" clickable current',
        '  list',
        '   e3 generic "Members" clickable',
      ],
    ],
  ])('shows %s', async (_what, html, lines) => {
    await odd.open(html);
    expect((await odd.text()).split('\n')).toEqual(lines);
  });

  test('leaves out controls to the left of a box that clips them, but not a link that appears on focus', async () => {
    const items = `<ul style="${FAR_LEFT}"><li><button>Back</button></ul>`;
    await odd.open(
      `<div style="overflow: hidden; position: relative; width: 300px; height: 90px"><button>Open</button>${items}</div>` +
        `<a href="#main" style="${FAR_LEFT}">Skip</a>`,
    );
    const text = await odd.text();
    expect(text).toContain('button "Open"');
    expect(text).toContain('link "Skip"');
    expect(text).not.toContain('Back');
  });

  test.each([
    ['scrolled by a script', 'document.querySelector("div").scrollLeft = 700', ''],
    ['from right to left', '', 'direction: rtl'],
    ['in reverse', '', 'flex-direction: row-reverse'],
  ])('keeps controls of a box with hidden overflow that a script can scroll to: %s', async (_what, script, style) => {
    const buttons = '<button style="flex: 0 0 200px">Go</button>'.repeat(6);
    await odd.open(
      `<div style="display: flex; overflow: hidden; width: 300px; ${style}">${buttons}</div><script>${script}</script>`,
    );
    expect((await odd.text()).match(/button "Go"/g)).toHaveLength(6);
  });

  test('shows a listener on a presentational item once, with the tab inside', async () => {
    await odd.open(
      '<ul role="tablist"><li role="presentation"><a href="#1" role="tab">One</a></li></ul><script>document.querySelector("li").addEventListener("click", () => undefined)</script>',
    );
    expect(await odd.text()).toMatch(/^tablist\n e\d tab "One" #0$/);
  });
});

describe('transparent fields', () => {
  const record = '<script>addEventListener("click", ({ target }) => { document.title = target.tagName })</script>';
  const over = 'position: absolute; inset: 0; margin: 0; width: 100%; height: 40px; opacity: 0; z-index: 1';

  test('clicks a title through the transparent checkbox over it', async () => {
    await odd.open(
      `<div style="position: relative"><input type="checkbox" style="${over}"><div id="title" style="cursor: pointer">Details</div></div>${record}`,
    );
    expect(await odd.act('#title')).toMatchObject({ success: true });
    expect(await odd.page.evaluate('document.querySelector("input").checked')).toBe(true);
  });

  test('clicks a transparent checkbox through the label beside it', async () => {
    const under = 'position: absolute; left: 0; top: 0; opacity: 0; z-index: -1';
    await odd.open(
      `<div style="position: relative; z-index: 0"><input type="checkbox" style="${under}"><label style="display: block">Dark mode</label></div>${record}`,
    );
    expect(await odd.act('input')).toMatchObject({ success: true });
    expect(await odd.page.title()).toBe('LABEL');
  });

  test.each([
    ['a submit button', '<input type="submit" style="OVER"><button id="cancel">Cancel</button>'],
    ['a file field', '<input type="file" style="OVER"><button id="cancel">Cancel</button>'],
    ['a checkbox over a button', '<input type="checkbox" style="OVER"><button id="cancel">Cancel</button>'],
    ['a checkbox over a link', '<input type="checkbox" style="OVER"><p><a href="#x" id="cancel">Cancel</a></p>'],
    ['a checkbox elsewhere', '<input type="checkbox" style="OVER"><i></i><hr><div id="cancel">Cancel</div>'],
  ])('does not click a transparent control instead of what users see: %s', async (_what, html) => {
    await odd.open(`<div style="position: relative">${html.replace('OVER', over)}</div>${record}`);
    await expect(odd.act('#cancel')).rejects.toThrow('covers it');
  });

  test('does not click a neighbor with its own listener instead of a transparent checkbox', async () => {
    const under = 'position: absolute; left: 0; top: 0; margin: 0; opacity: 0; z-index: -1';
    const listen = 'document.querySelector("b").addEventListener("click", () => { document.title = "Deleted" })';
    await odd.open(
      `<div style="position: relative; z-index: 0"><input type="checkbox" style="${under}"><b style="display: block">Delete</b></div><script>${listen}</script>`,
    );
    await odd.text();
    await expect(odd.act('input')).rejects.toThrow('covers it');
    expect(await odd.page.title()).toBe('Odd');
  });

  test('does not click a dialog over a transparent checkbox', async () => {
    const dialog = '<div style="position: fixed; inset: 0; background: #fff"><button>Delete</button></div>';
    await odd.open(`<input type="checkbox" aria-label="Subscribe" style="${over}; z-index: 0">${dialog}`);
    expect(await odd.text()).toContain('checkbox "Subscribe" unchecked covered');
    await expect(odd.act('input')).rejects.toThrow('covers it');
  });

  test('does not click through a transparent field of another part of the page', async () => {
    await odd.open(
      `<div style="position: relative"><p><button id="buy">Buy</button></p><div><input style="${over}"></div></div>${record}`,
    );
    await expect(odd.act('#buy')).rejects.toThrow('covers it');
  });
});
