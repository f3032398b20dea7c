import { describe, expect, test } from 'vitest';
import { oddPages } from './odd-page.ts';

const odd = oddPages();

describe('what is seen of odd pages', () => {
  test('an application positioned over a body without height is read', async () => {
    await odd.open(`<style>html, body { overflow: hidden; margin: 0 } #app { position: absolute; inset: 0 }</style><body><div id="app">Flows <p>Palette</p>
    <div style="position: absolute; width: 1px; height: 1px; overflow: hidden"><a href="#main">Skip to the flow</a></div></div>`);
    expect(await odd.text()).toBe('- Flows\n- Palette\ne1 link "Skip to the flow" #0');
  });

  test('a box without height hides its text, but not what is positioned against something further out', async () => {
    await odd.open(`<div style="height: 0; overflow: hidden">cut <span style="position: relative">cut too <b style="position: absolute">and this</b></span>
    <div style="position: absolute">stands out</div></div>
    <div style="height: 0; overflow: hidden; position: relative">cut <div style="position: absolute">cut as well</div><div style="position: fixed; top: 200px">fixed</div></div>`);
    expect(await odd.text()).toBe('- stands out\n- fixed');
  });

  test('options that stand in a list of a shadow root by a slot are options', async () => {
    await odd.open(`<my-select><my-option role="option" aria-selected="true">Bowl</my-option><my-option role="option">Jug</my-option></my-select>
    <script>customElements.define('my-select', class extends HTMLElement { constructor() { super();
      this.attachShadow({ mode: 'open' }).innerHTML = '<div role="listbox" aria-label="Pots"><slot></slot></div>'; } })</script>`);
    expect(await odd.text()).toBe('e1 listbox "Pots"\n e2 option "Bowl" selected\n e3 option "Jug"');
    expect(await odd.page.locator('role=option[name="Jug"]').count()).toBe(1);
  });

  test('a wrapper around a button has no line of its own, one that says something has', async () => {
    await odd.open(`<style>.hand { cursor: pointer }</style><div class="hand"><button>Book</button></div><div class="hand">Details <button>Edit</button></div>
    <div class="hand" onclick="this"><button>Open</button></div><span title="Copy path"><button>Copy path</button></span><div tabindex="0"></div>`);
    const text = (await odd.text()).replace(/\be\d+ /g, '');
    expect(text).toBe(
      'button "Book"\ngeneric clickable\n - Details\n button "Edit"\nbutton "Open"\nbutton "Copy path"',
    );
  });

  test('what is folded away has no lines until it is unfolded, but a control that is worked by its label has', async () => {
    await odd.open(`<style>#panel { max-height: 0; overflow: hidden } #panel.open { max-height: 300px }</style>
    <button onclick="panel.classList.toggle('open')">Filter</button><div id="panel"><a href="#a">By price</a><button>Apply</button></div>
    <div style="width: 0; height: 0; overflow: hidden"><input type="checkbox" id="gift"><input type="file" id="file" aria-label="Photo"></div><label for="gift">Gift wrap</label>`);
    expect(await odd.text()).toBe('e1 button "Filter"\ne2 checkbox "Gift wrap" unchecked\ne3 button "Photo"');
    await odd.act('button');
    expect(await odd.text()).toContain('link "By price"');
  });

  test('characters that only an icon font gives a shape, and marks for breaking words, are no part of a name or a text', async () => {
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

  test('bars tell how far they are, and players and canvases what they are', async () => {
    await odd.open(`<progress value="3" max="10"></progress><meter value="0.4"></meter><video controls aria-label="Tour"></video><audio controls></audio>
    <canvas onclick="this.width = 10" aria-label="Board"></canvas>`);
    expect(await odd.text()).toBe(
      'progressbar = "3"\nmeter = "0.4"\ne1 video "Tour"\ne2 audio\ne3 canvas "Board" clickable',
    );
  });

  test('what can be dragged has a ref, and so has what shows the hand inside a part that can only get the focus', async () => {
    await odd.open(`<ul><li draggable="true">Write tests</li></ul><svg width="200" height="40"><g style="cursor: move"><text y="20">Greeting</text></g></svg>
    <div tabindex="0">Rooms <span style="cursor: pointer">Cellar <b>2</b></span></div><div role="button" tabindex="0" draggable="true"><span style="cursor: pointer">Fix login</span></div>`);
    expect(await odd.text()).toBe(
      'e6 list droppable\n e1 listitem "Write tests" draggable\ne2 generic "Greeting" draggable\ne3 generic\n - Rooms\n e4 generic "Cellar 2" clickable\ne5 button "Fix login" draggable',
    );
  });

  test.each([
    ['has no box', '<div id="host" style="display: contents"></div>'],
    ['has no box and words of its own', '<div id="host" style="display: contents">Unseen</div>'],
    ['has no size', '<div id="host" style="width: 0; height: 0"></div>'],
    ['has no size and words of its own', '<div id="host" style="width: 0; height: 0; overflow: visible">Unseen</div>'],
    ['has a height of zero', '<div id="host"></div>'],
    ['is painted', '<div id="host" style="background: beige; border: 1px solid"></div>'],
    ['shows its words by a slot', '<div id="host">Words</div>'],
    ['shows its elements by a slot', '<section id="host"><p>Words</p></section>'],
  ])('what is in a closed root is seen, found and counted where its host %s', async (_how, host) => {
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

  test('a closed root on an element that had none when it was looked at first is found by whoever waits for what is in it', async () => {
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
  test('every one of ten thousand links is observed, each with a selector that finds it alone', async () => {
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
});
