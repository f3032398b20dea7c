import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { launchForTest, type TestBrowser } from '../support/launch-for-test.ts';
import { serve, type TestServer } from '../support/serve.ts';
import { FramePage } from './frame-lines.ts';

describe('snapshot of one document', () => {
  let browser: TestBrowser;
  let server: TestServer;
  let page: FramePage;

  beforeAll(async () => {
    [browser, server] = await Promise.all([launchForTest(), serve()]);
    page = new FramePage(browser, server);
  });
  afterAll(() => Promise.all([browser.close(), server.close()]));

  describe('text', () => {
    it('joins the text of one line and separates paragraphs', async () => {
      expect(
        await page.lines('<p>Total: <b>12</b> <i>items</i></p><p>Next<br>line</p><div>Loose <span>end</span></div>'),
      ).toEqual(['"Total: 12 items"', '"Next\nline"', '"Loose end"']);
    });

    it('splits the text of a paragraph around a link', async () => {
      expect(await page.lines('<p>See <a href="/docs">the docs</a> first.</p>')).toEqual([
        '"See"',
        `* link the docs (url=${server.origin}/docs)`,
        '"first."',
      ]);
    });

    it.each([
      ['display: none', '<p style="display: none">'],
      ['visibility: hidden', '<p style="visibility: hidden">'],
      ['opacity 0', '<p style="opacity: 0">'],
      ['opacity 0 of an ancestor', '<div style="opacity: 0"><p>'],
      ['font size 0', '<p style="font-size: 0">'],
      ['a transparent color', '<p style="color: transparent">'],
      ['a box without height', '<div style="height: 0; overflow: hidden"><p>'],
      [
        'a one-pixel box for screen readers',
        '<p style="position: absolute; width: 1px; height: 1px; overflow: hidden">',
      ],
      ['an empty clip', '<p style="position: absolute; clip: rect(0, 0, 0, 0)">'],
      ['an empty clip path', '<p style="position: absolute; clip-path: inset(50%)">'],
      ['a position left of the page', '<p style="position: absolute; left: -9999px">'],
      ['a position above the page', '<p style="position: fixed; top: -500px">'],
      ['an indent out of its box', '<p style="text-indent: -9999px; overflow: hidden">'],
      ['a closed `details` element', '<details><summary>Shown</summary><p>'],
      ['`hidden="until-found"`', '<p hidden="until-found">'],
      ['a template', '<template><p>'],
    ])('omits text that nobody sees because of %s', async (_, open) => {
      expect((await page.lines(`<p>Before</p>${open}Unseen words`)).join()).not.toContain('Unseen');
    });

    it('keeps the visible text of `aria-hidden` and `inert` elements', async () => {
      expect(await page.lines('<p aria-hidden="true">Seen</p><div inert><p>Seen too</p></div>')).toEqual([
        '"Seen"',
        '"Seen too"',
      ]);
    });

    it('keeps black text, text with a painted fill, and visible text in a hidden part', async () => {
      const body =
        '<p style="color: #000">Black</p><p style="color: transparent; -webkit-text-fill-color: red">Filled</p><div style="visibility: hidden">No <span style="visibility: visible">yes</span></div>';
      expect(await page.lines(body)).toEqual(['"Black"', '"Filled"', '"yes"']);
    });

    it('keeps text that is scrolled out of view', async () => {
      await page.load(
        '<div id="box" style="height: 50px; overflow: auto; position: relative"><p style="position: absolute; top: 0; height: 20px">First</p><p style="margin-top: 4000px">Last</p></div>',
      );
      await page.run('document.getElementById("box").scrollTop = 3000');
      expect(await page.currentLines()).toEqual(['generic (scrolled 75%)', '  "First"', '  "Last"']);
    });
  });

  describe('structure', () => {
    it('drops wrappers without a role, and names a line by its only text', async () => {
      expect(
        await page.lines(
          '<div><div><main><div><h2><span>Mugs</span></h2></div><ul><li>Blue</li><li><a href="/red">Red</a></li></ul></main></div></div>',
        ),
      ).toEqual([
        'main',
        '  heading Mugs (level=2)',
        '  list',
        '    listitem Blue',
        `    * link Red (url=${server.origin}/red)`,
      ]);
    });

    it('keeps empty cells of a data table, and drops a layout table', async () => {
      expect(
        await page.lines('<table><tr><th>Name<th>Price<tr><td>Mug<td></table><table><tr><td>Left<td>Right</table>'),
      ).toEqual([
        'table',
        '  row',
        '    columnheader Name',
        '    columnheader Price',
        '  row',
        '    cell Mug',
        '    cell',
        '"Left"',
        '"Right"',
      ]);
    });

    it('shows a name only on the control, not again as text, label or legend', async () => {
      expect(
        await page.lines(
          '<button>Save <b>all</b> <i aria-hidden="true">→</i></button><fieldset><legend>Pay by</legend><label><input type="radio"> Card</label></fieldset>',
        ),
      ).toEqual(['* button Save all', 'group Pay by', '  * radio Card (unchecked)']);
    });

    it('keeps a button inside a link below the link', async () => {
      expect(await page.lines('<a href="/p"><h3>Mug</h3><p>Blue</p><button>Buy</button></a>')).toEqual([
        `* link Mug Blue Buy (url=${server.origin}/p)`,
        '  * button Buy',
      ]);
    });

    it('shows slotted content in its slot', async () => {
      expect(
        await page.lines(
          '<div><template shadowrootmode="open"><h1><slot name="title"></slot></h1><slot></slot></template><p>Body</p><span slot="title">Title</span></div>',
        ),
      ).toEqual(['heading Title (level=1)', '"Body"']);
    });

    it('keeps the deepest button of 600 nested lists', async () => {
      await page.load('<div id="root"></div>');
      await page.run(`
        let list = document.getElementById('root');
        for (let depth = 0; depth < 600; depth += 1) {
          const item = list.appendChild(document.createElement('ul')).appendChild(document.createElement('li'));
          item.append('level ' + depth);
          list = item;
        }
        list.append(Object.assign(document.createElement('button'), { textContent: 'Deepest' }));`);
      const text = JSON.stringify((await page.snapshot()).nodes);
      expect(text).toContain('level 100');
      expect(text).toContain('Deepest');
    });
  });

  describe('controls', () => {
    it('omits the value of a password field', async () => {
      const lines = await page.lines(
        '<label>Password <input type="password" value="open sesame"></label><button>Log in <input type="password" value="open sesame"></button>',
      );
      expect(lines[0]).toBe('* textbox Password (filled)');
      expect(lines.join()).not.toContain('sesame');
    });

    it('shows a select as one line with its options, and a multiple select with a line for each', async () => {
      expect(
        await page.lines(
          '<select aria-label="One"><option>A</option><option selected>B</option></select><select multiple aria-label="Many"><option>C</option><option selected>D</option></select>',
        ),
      ).toEqual([
        '* combobox One (value=B options=A,B)',
        '* listbox Many (multiselectable)',
        '  * option C',
        '  * option D (selected)',
      ]);
    });

    it('shows states, values, formats and descriptions on the line of a control', async () => {
      const body = `<input type="date" aria-label="Day" value="2026-11-20" required><input disabled aria-label="Off"><textarea aria-label="Story" readonly>Once</textarea>
        <div role="checkbox" aria-checked="mixed" tabindex="0">All</div><button aria-pressed="true" aria-describedby="d">Bold</button><p id="d">Ctrl+B</p>
        <button aria-expanded="false" aria-invalid="true" aria-busy="true">Menu</button><div contenteditable>Edit <b>me</b></div>`;
      expect(await page.lines(body)).toEqual([
        '* textbox Day (required value=2026-11-20 placeholder=YYYY-MM-DD)',
        '* textbox Off (disabled)',
        '* textbox Story (readonly,multiline value=Once)',
        '* checkbox All (mixed)',
        '* button Bold (pressed description=Ctrl+B)',
        '"Ctrl+B"',
        '* button Menu (collapsed,busy,invalid)',
        '* generic (editable value=Edit me)',
      ]);
    });

    it('shows the text of a custom field as its value', async () => {
      const body =
        '<div role="combobox" tabindex="0" aria-label="Fruit">Pear</div><div role="textbox" tabindex="0">Typed</div><div role="spinbutton" tabindex="0" aria-valuetext="14 points">14 points</div>';
      expect(await page.lines(body)).toEqual([
        '* combobox Fruit (value=Pear)',
        '* textbox (value=Typed)',
        '* spinbutton (value=14 points)',
      ]);
    });

    it('marks a script-only click target once, where `cursor: pointer` begins', async () => {
      expect(
        await page.lines(
          '<div onclick="void 0">By attribute</div><div style="cursor: pointer"><span>By <b>hand</b></span></div><button style="cursor: pointer"><span>Real</span></button>',
        ),
      ).toEqual(['* generic By attribute (clickable)', '* generic By hand (clickable)', '* button Real']);
    });

    it('shows a check box or radio button that is not rendered by its label', async () => {
      expect(
        await page.lines('<input type="checkbox" id="c" checked style="display: none"><label for="c">Letters</label>'),
      ).toEqual(['* checkbox Letters (checked)']);
      expect(await page.lines('<input type=radio id=s style="display: none"><label for=s>Small</label>')).toEqual([
        '* radio Small (unchecked)',
      ]);
      expect(
        await page.lines('<label><input type=checkbox hidden>I agree to the <a href="/terms">terms</a></label>'),
      ).toEqual(['* checkbox I agree to the terms (unchecked)', expect.stringMatching(/^  \* link terms/)]);
    });

    it.each([
      [
        'a tab and its link',
        '<ul role="tablist"><li role="tab" aria-selected="true"><a href="#1">One</a></li></ul>',
        '  * tab One (selected)',
      ],
      ['a clickable list item and its button', '<ul><li onclick="1"><button>One</button></li></ul>', '  * button One'],
      [
        'a focusable toolbar item and its button',
        '<div role="toolbar"><span tabindex="0"><button>Undo</button></span></div>',
        '  * button Undo',
      ],
    ])('merges %s into one line', async (_what, html, line) => {
      const lines = await page.lines(html);
      expect(lines.slice(1).map((told) => told.replace(/url=\S+ /, ''))).toEqual([line]);
    });

    it.each([
      [
        'marks an item as current if its class says so and the class of its sibling does not',
        '<ul><li class="file current-file" onclick="1">Offer <i>x</i></li><li class="file" onclick="1">Hello <i>x</i></li></ul>',
        ['clickable current', 'clickable'],
      ],
      [
        'marks an item as unread by its class',
        '<ul><li class="mail is-unread">Offer <a href="#1">Open</a></li><li class="mail">Hello <a href="#2">Open</a></li></ul>',
        ['unread', ''],
      ],
      [
        'does not mark items that all have the class `active`',
        '<ul><li class="active">Offer <a href="#1">Open</a></li><li class="active">Hello <a href="#2">Open</a></li></ul>',
        ['', ''],
      ],
      [
        'marks an item in bold text as bold',
        '<style>.n { font-weight: bold }</style><ul><li class="n">Offer <a href="#1">Open</a></li><li>Hello <a href="#2">Open</a></li></ul>',
        ['bold', ''],
      ],
      [
        'does not mark an item with only one bold word',
        '<ul><li><b>Offer</b> of today <a href="#1">Open</a></li><li>Hello <a href="#2">Open</a></li></ul>',
        ['', ''],
      ],
      [
        'marks an item with `aria-current` as current only once',
        '<ul><li class="active" aria-current="true" onclick="1">Offer <i>x</i></li><li onclick="1">Hello <i>x</i></li></ul>',
        ['clickable current', 'clickable'],
      ],
    ])('%s', async (_what, html, states) => {
      await page.load(html);
      const { nodes, roles } = await page.snapshot();
      const items = nodes.flatMap((node) => (typeof node === 'string' ? [] : (node[4] ?? [])));
      const told = items.filter((item) => typeof item !== 'string' && roles[item[0]] === 'listitem');
      const shown = told.map((item) => (typeof item === 'string' || !item[3] ? [] : (item[3].states ?? [])));
      expect(shown.map((list) => list.toSorted().join(' '))).toEqual(states);
    });

    it.each([
      ['a field', '<input aria-label="Name" value="Ada Lovelace" id="x">', 'x.focus(); x.setSelectionRange(0, 3)'],
      [
        'an editor',
        '<div role="textbox" aria-label="Name" contenteditable id="x">Ada Lovelace</div>',
        'x.focus(); getSelection().setBaseAndExtent(x.firstChild, 0, x.firstChild, 3)',
      ],
    ])('marks %s with `text-selected` while some of its text is selected', async (_what, html, script) => {
      const marked = async (): Promise<boolean> => {
        const { nodes } = await page.snapshot();
        return JSON.stringify(nodes).includes('text-selected');
      };
      await page.load(html);
      await page.run('x.focus(); getSelection().collapseToEnd?.()');
      expect(await marked()).toBe(false);
      await page.run(script);
      expect(await marked()).toBe(true);
    });

    const ROWS = '<p>First</p><div style="height: 400px"></div><p>Last</p>';
    it.each([
      ['a plain box', '<div id="x" style="overflow: auto; height: 100px">', 'generic (scrolled 50%)', true],
      [
        'a region in an open shadow root',
        '<div><template shadowrootmode="open"><div id="x" role="log" aria-label="Chat" style="overflow-y: scroll; height: 100px"><slot></slot></div></template>',
        'log Chat (scrolled 50%)',
        true,
      ],
      ['a box with `overflow: hidden`', '<div id="x" style="overflow: hidden; height: 100px">', null, false],
      ['a box at its beginning', '<div style="overflow: auto; height: 100px"><b id="x"></b>', null, true],
    ])('shows a scroll position only where a scrollable box is scrolled: %s', async (_what, start, line, isRead) => {
      await page.load(`${start}${ROWS}</div>`);
      await page.run(`const x = document.querySelector('#x') ?? document.querySelector('div').shadowRoot.querySelector('#x');
        x.scrollTop = (x.scrollHeight - x.clientHeight) / 2`);
      const lines = await page.currentLines();
      expect(lines.filter((told) => told.includes('scrolled'))).toEqual(line === null ? [] : [line]);
      // Users cannot scroll a box with `overflow: hidden`.
      expect(/First.*Last/.test(lines.join())).toBe(isRead);
    });

    it('marks a button as disabled if its disabled class sets `pointer-events: none`', async () => {
      const html =
        '<style>.off.is-disabled { pointer-events: none }</style><button class="off is-disabled">Send</button><button class="is-disabled">Save</button>';
      expect(await page.lines(html)).toEqual(['* button Send (disabled)', '* button Save']);
    });

    it('marks a button as pressed if its wrapper has the class `selected`', async () => {
      const html =
        '<ul><li><a class="tool selected"><button aria-label="Bold"></button></a></li><li><a class="tool"><button aria-label="Italic"></button></a></li></ul>';
      expect(await page.lines(html)).toEqual(['list', '  * button Bold (pressed)', '  * button Italic']);
    });

    it.each([
      [
        'an expandable tree item',
        '<ul role="tree"><li role="treeitem" aria-expanded="false"><a href="#1">One</a></li></ul>',
        3,
      ],
      ['a draggable item', '<ul><li draggable="true"><button>One</button></li></ul>', 3],
      ['a clickable item with text of its own', '<ul><li onclick="1">Mail <button>Delete</button></li></ul>', 4],
    ])('keeps a separate line for %s', async (_what, html, count) => {
      expect(await page.lines(html)).toHaveLength(count);
    });

    it('gives no ref to a button outside an open modal dialog', async () => {
      await page.load('<button>Outside</button><p>Behind</p><dialog id="d"><button>Inside</button></dialog>');
      await page.run('document.getElementById("d").showModal()');
      expect((await page.currentLines()).map((line) => line.replace(/ \(.*/, ''))).toEqual([
        '"Outside"',
        '"Behind"',
        '* dialog',
        '  * button Inside',
      ]);
    });

    it('reads forms with fields and documents with images that are named like DOM properties', async () => {
      const fields =
        'parentNode firstChild children localName attributes getAttribute nodeType shadowRoot childNodes getRootNode contains isContentEditable offsetHeight';
      const images =
        'body title URL styleSheets adoptedStyleSheets getElementById activeElement querySelectorAll createRange documentElement';
      const inputs = fields.replace(/\w+/g, '<input name="$&" aria-label="$&">');
      const form = `<form contenteditable="false" aria-labelledby="n" style="overflow: hidden"><b id="n">Trap</b>${inputs}</form>`;
      await page.load(`${form}${images.replace(/\w+/g, '<img name="$&" alt="$&">')}`);
      const { nodes, roles, title } = await page.snapshot();
      expect(title).toBe('Page');
      expect(nodes.map((node) => `${roles[Number(node[0])]} ${node[1]}`)).toEqual([
        'form Trap',
        ...images.split(' ').map((name) => `img ${name}`),
      ]);
      expect(nodes[0]?.[4]).toHaveLength(fields.split(' ').length);
    });
  });

  describe('URLs', () => {
    it.each([
      ['/plain/path', 'http://HOST/plain/path'],
      ['/with?query=1&other=/../x#part', 'http://HOST/with?query=1&other=/../x#part'],
      ['/a/../b/./c', 'http://HOST/b/c'],
      ['/a/.', 'http://HOST/a/'],
      ['/a b', 'http://HOST/a%20b'],
      ['/\\\\elsewhere.test/x', 'http://elsewhere.test/x'],
      ['//elsewhere.test/x', 'http://elsewhere.test/x'],
      ['http://elsewhere.test/x', 'http://elsewhere.test/x'],
      ['relative', 'http://HOST/relative'],
      ['', 'http://HOST/page'],
      ['mailto:a@b.test', 'mailto:a@b.test'],
    ])('shows the absolute URL of a link to "%s"', async (href, expected) => {
      const lines = await page.lines(`<a href="${href}">Link</a>`);
      expect(lines.map((line) => line.replace(/127\.0\.0\.1:\d+/, 'HOST'))).toEqual([`* link Link (url=${expected})`]);
    });

    it('resolves a path against the `base` element', async () => {
      expect(await page.lines('<base href="http://elsewhere.test/deep/"><a href="/x">Link</a>')).toEqual([
        '* link Link (url=http://elsewhere.test/x)',
      ]);
    });
  });

  describe('refs and scope', () => {
    it('keeps the refs of elements when another element is added', async () => {
      await page.load('<button>One</button><button>Two</button>');
      const before = (await page.snapshot()).nodes;
      await page.run('document.body.prepend(Object.assign(document.createElement("button"), { textContent: "Zero" }))');
      const after = (await page.snapshot()).nodes;
      expect(after.slice(1)).toEqual(before);
      expect(after[0]?.[2]).toBe(3);
    });

    it('limits the snapshot to `scope`, and omits the subtrees of `ignoreSelectors`', async () => {
      await page.load('<p>Out</p><main><p>In</p><nav><button>Gone</button></nav></main>');
      expect(await page.snapshot({ scope: { selector: 'main' }, ignoreSelectors: ['nav', 'p.none'] })).toMatchObject({
        roles: ['main'],
        nodes: [[0, 'In']],
        elementCount: 2,
      });
      expect(await page.snapshot({ scope: { selector: '#nowhere' } })).toMatchObject({
        nodes: [],
        scopeResolution: { kind: 'none' },
      });
    });

    it('reports a possible host of a closed root once, and again after its size changed', async () => {
      await page.load(
        '<div id="host" style="width: 50px"></div><my-box>Box</my-box><span>Words</span><div style="height: 9px; background: red"></div>',
      );
      await page.run(
        'document.getElementById("host").attachShadow({ mode: "closed" }).innerHTML = "<button>In</button>"',
      );
      expect((await page.snapshot()).hostCandidates).toBe(2);
      const world = await browser.page.frames.main.worlds.isolated;
      await world.callForNodes('takeHostCandidates', 0);
      expect((await page.snapshot()).hostCandidates).toBe(0);
      await page.run('document.getElementById("host").style.width = "80px"');
      expect((await page.snapshot()).hostCandidates).toBe(1);
    });
  });
});
