import { describe, expect, test } from 'vitest';
import { oddPages } from './odd-page.ts';

const odd = oddPages();

const icon = 'display: inline-block; width: 16px; height: 16px; cursor: pointer';
const backdrop = '<div style="position: fixed; inset: 0; background: #000; opacity: .5; z-index: 1"></div>';
const dialog =
  '<div style="position: fixed; inset: 0; z-index: 2"><div style="width: 300px; background: #fff"><h4>Sure?</h4><button>Yes</button></div></div>';

describe('snapshot of an application', () => {
  test.each([
    [
      'names icons of one image file by their classes',
      `<a><div class="torrent_resume" onclick="1" style="${icon}; background: url(torrent_buttons.png) 0 0"></div></a>
       <a><div class="torrent_pause" onclick="1" style="${icon}; background: url(torrent_buttons.png) 0 -14px"></div></a>`,
      ['e1 generic clickable (hint: torrent resume)', 'e2 generic clickable (hint: torrent pause)'],
    ],
    [
      'names an icon by its image file',
      `<div class="tool" onclick="1" style="${icon}; background: url(trash.png)"></div>`,
      ['e1 generic clickable (hint: trash)'],
    ],
    [
      'names an icon without a class by a file of several images',
      `<div onclick="1" style="${icon}; background: url(close_icons.png)"></div>`,
      ['e1 generic clickable (hint: close)'],
    ],
    [
      'shows a faded control with a class as disabled',
      '<div onclick="1" class="disabled" style="cursor: pointer; opacity: .25">Remove</div><div onclick="1" class="disabled" style="cursor: pointer">Add</div>',
      ['e1 generic "Remove" disabled clickable', 'e2 generic "Add" clickable'],
    ],
    [
      'shows a faded control in a shadow root as disabled',
      `<x-tool></x-tool><script>document.querySelector('x-tool').attachShadow({ mode: 'open' }).innerHTML =
        '<div title="Undo" class="disabled" style="width: 30px; height: 30px; opacity: .3" onclick="1"></div>'</script>`,
      ['e1 generic "Undo" disabled clickable'],
    ],
    [
      'shows by which columns a table is sorted',
      `<table><tr><th aria-sort="descending">A</th><th class="column-x sorted ascending"><a href="#b">B</a></th><th class="tablesorter-headerDesc">C</th>
       <th class="sortable asc desc">D</th></tr><tr><td>1<td>2<td>3<td>4</table>`,
      [
        'table',
        ' row | columnheader "A" sorted descending | columnheader sorted ascending e1 link "B" #0 | columnheader "C" sorted descending | D',
        ' row | 1 | 2 | 3 | 4',
      ],
    ],
    [
      'gives a ref to the only item of a list',
      '<ul id="one"><li class="torrent"><div>alpha.iso</div><div>Paused</div></li></ul><script>one.onclick = () => {}</script>',
      ['list', ' e1 listitem clickable | alpha.iso | Paused'],
    ],
    [
      'gives no ref to the dividers of a menu',
      '<ul id="menu"><li>Open</li><li class="menu-divider" role="none"></li><li>Close</li></ul><script>menu.onclick = () => {}</script>',
      ['list', ' e1 listitem "Open" clickable', ' e2 listitem "Close" clickable'],
    ],
    [
      'gives refs to rows that can be selected',
      `<div id="g" style="height: 700px"><div role="treegrid">${'<div role="row" aria-selected="false"><div role="gridcell">Task</div></div>'.repeat(2)}</div></div><script>g.onclick = () => {}</script>`,
      ['treegrid', ' e1 row clickable | Task', ' e2 row clickable | Task'],
    ],
    [
      'gives a ref to an icon in a clickable heading',
      `<div role="heading" aria-level="1" style="cursor: pointer">New task<a class="close_btn" style="${icon}"></a></div>`,
      ['e1 heading 1 clickable', ' - New task', ' e2 generic clickable (hint: close)'],
    ],
    [
      'keeps colors and directions in hints',
      `${['#ff0000', '#0000ff'].map((color) => `<i class="square" data-rgb="${color}" style="${icon}; background: ${color}" onclick="1"></i>`).join('')}
       <i id="grip_resize_nw" style="${icon}" onclick="1"></i><i id="grip_resize_s" style="${icon}" onclick="1"></i>`,
      [
        'e1 generic clickable (hint: square #ff0000)',
        'e2 generic clickable (hint: square #0000ff)',
        'e3 generic clickable (hint: grip resize nw)',
        'e4 generic clickable (hint: grip resize s)',
      ],
    ],
    [
      'describes a field by the title of its wrapper',
      '<div title="Font size"><span><input value="24"></span></div><div title="Both"><input><input></div>',
      ['e1 textbox = "24" (Font size)', 'e2 textbox', 'e3 textbox'],
    ],
    [
      'omits a description that repeats the name',
      '<button aria-label="View selected" aria-describedby="tip">V</button><div id="tip" hidden>View selected</div>',
      ['e1 button "View selected"'],
    ],
    [
      'omits a popup that waits outside the page',
      '<div aria-hidden="true" style="position: absolute; left: -99999em"><button>€</button></div><a href="#main" style="position: absolute; left: -999px">Skip</a>',
      ['e1 link "Skip" #0'],
    ],
    [
      'does not take header cells for drop targets',
      '<i draggable="true">Drag</i><table><tr><th class="cell--column-title">Value</th></tr><tr><td class="cell--column-title">1</td></tr></table>',
      ['e1 generic "Drag" draggable', 'table', ' row | Value', ' row | 1'],
    ],
  ])('%s', async (_, html, lines) => {
    await odd.open(html);
    expect((await odd.text()).split('\n')).toEqual(lines);
  });

  test('reads fields that are scrolled out of a box inside a box that clips', async () => {
    await odd.open(`<div style="height: 200px; overflow: hidden"><div id="scroller" style="height: 200px; overflow: auto">
      <span role="textbox" contenteditable tabindex="0" aria-label="Title" style="display: block; height: 40px">Survey</span><div style="height: 900px"></div><button>Save</button>
      </div></div><script>scroller.scrollTop = 500</script>`);
    expect(await odd.text()).toContain('textbox "Title" = "Survey" editable');
  });
});

describe('a layer over the viewport', () => {
  test('marks the controls behind it as covered, until it is closed', async () => {
    await odd.open(`<button>Settings</button><a href="#x">English</a>${backdrop}${dialog}`);
    expect((await odd.text()).split('\n')).toEqual([
      'e1 button "Settings" covered',
      'e2 link "English" covered #0',
      'heading 4 "Sure?"',
      'e3 button "Yes"',
    ]);
    await odd.page.evaluate(`for (const layer of document.querySelectorAll('body > div')) layer.remove()`);
    expect(await odd.text()).toBe('e1 button "Settings"\ne2 link "English" #0');
  });

  test.each([
    [
      'lets clicks through',
      `<button>Save</button><div style="position: fixed; inset: 0; pointer-events: none">Snow</div>`,
    ],
    ['is the application', `<div style="position: fixed; inset: 0"><button>Save</button></div>`],
    [
      'is behind a control',
      `<div style="position: fixed; inset: 0"></div><button style="position: fixed; z-index: 1">Save</button>`,
    ],
    ['leaves a part of the page free', `<div style="position: fixed; inset: 200px 0 0"></div><button>Save</button>`],
  ])('covers no control if it %s', async (_, html) => {
    await odd.open(html);
    expect(await odd.text()).toMatch(/e1 button "Save"$/m);
  });
});

describe('states that component libraries repeat in attributes', () => {
  test.each([
    [
      'a disabled option',
      '<div role="listbox" aria-label="Plan"><div role="option">Free</div><div role="option" data-combobox-disabled="true">Pro</div></div>',
      ['e1 listbox "Plan"', ' e2 option "Free"', ' e3 option "Pro" disabled'],
    ],
    [
      'a selected day and the current link',
      '<p><button data-selected>8</button><button>9</button></p><p><a href="#a" data-active="true">Home</a> <a href="#b" data-active="false">Docs</a></p>',
      ['e1 button "8" selected', 'e2 button "9"', 'e3 link "Home" current #0', 'e4 link "Docs" #1'],
    ],
    [
      'a mixed checkbox',
      '<input type="checkbox" aria-label="All" data-indeterminate="true">',
      ['e1 checkbox "All" mixed'],
    ],
    ['an expanded item', '<a href="#a" data-expanded="true">Docs</a>', ['e1 link "Docs" expanded #0']],
    [
      'no state that all neighbors have',
      '<p><button data-active>A</button><button data-active>B</button></p>',
      ['e1 button "A"', 'e2 button "B"'],
    ],
    [
      'an enabled button with a class',
      '<button class="disabled" style="opacity: .5">Send</button>',
      ['e1 button "Send"'],
    ],
  ])('reads %s', async (_, html, lines) => {
    await odd.open(html);
    expect((await odd.text()).split('\n')).toEqual(lines);
  });
});

test('reads a menu over a panel that a relative box paints', async () => {
  await odd.open(`<div style="position: absolute; left: 0; top: 0"><div style="position: absolute"><div style="position: relative; z-index: 2; background: #fff; width: 300px; height: 200px">
    <button style="width: 100%; height: 200px">Open</button></div></div><div style="position: absolute; top: 50px; width: 200px"><button title="red" style="width: 20px; height: 20px"></button></div></div>`);
  expect(await odd.text()).toBe('e1 button "Open"\ne2 button "red" covered');
});

test('does not describe a container with text by the title of a part', async () => {
  await odd.open('<main tabindex="-1"><h3>Pets</h3><i title="Copy path"><svg width="9" height="9"></svg></i></main>');
  expect(await odd.text()).toMatch(/^e1 main\n/);
});

test('a layer that lets clicks through covers nothing, even if its parts do not', async () => {
  const part = 'pointer-events: auto; position: absolute; left: 0; right: 0';
  await odd.open(`<div style="position: absolute; top: 100px; left: 20px"><button>Below</button></div><div style="position: fixed; inset: 0; pointer-events: none; z-index: 5">
    <header style="${part}; top: 0; height: 40px">Top</header><div style="${part}; top: 45%; height: 10%">Middle</div><footer style="${part}; bottom: 0; height: 40px">End</footer></div>`);
  expect(await odd.text()).toMatch(/button "Below"$/m);
});
