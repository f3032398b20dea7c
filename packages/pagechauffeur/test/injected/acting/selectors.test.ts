import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ProgramPage } from '../program-page.ts';

let page: ProgramPage;
beforeAll(async () => {
  page = await ProgramPage.open();
});
afterAll(() => page[Symbol.asyncDispose]());

describe('selectors', () => {
  /** The ids of all that a selector finds, in order. */
  async function ids(selector: string): Promise<unknown> {
    const refs = await page.refsOf(selector);
    if (!Array.isArray(refs)) return refs;
    const values = await Promise.all(refs.map((ref: number) => page.call('read', { ref }, 'attribute:id')));
    return values.map((answer) => (answer.kind === 'value' ? answer.value : answer.kind));
  }

  const CARD = `<!doctype html><body>
  <div id="before"><button id="b0" class="buy">Buy apples</button></div>
  <x-card id="card"><span id="light">Slotted words</span></x-card>
  <button id="b9" class="buy">Buy cherries</button>
  <script>
    const root = document.querySelector('x-card').attachShadow({ mode: 'open' });
    root.innerHTML = '<div id="wrap" class="wrap"><button id="b1" class="buy" data-n="1">Buy pears</button><button id="b2" class="buy" disabled>Buy plums</button><slot></slot></div><x-inner id="inner"></x-inner>';
    root.querySelector('x-inner').attachShadow({ mode: 'closed' }).innerHTML = '<button id="b3" class="buy">Buy figs</button>';
  </script>`;

  test('CSS finds elements in open and closed shadow roots in document order', async () => {
    await page.show(CARD);
    expect(await ids('button.buy')).toEqual(['b0', 'b1', 'b2', 'b3', 'b9']);
    expect(await ids('css=#b3')).toEqual(['b3']);
  });

  // Attaching a shadow root to an element that is already in the document causes no mutation.
  test.each(['div', 'x-host', 'section', 'body'])(
    'finds elements in shadow roots that a script attaches to a watched %s and to an element in it',
    async (host) => {
      await page.show(`<${host} id="host"></${host}>`);
      await page.settle({ eventTimeout: 0, keepsWatching: true });
      expect(await ids('button')).toEqual([]);
      const target = host === 'body' ? 'document.body' : 'host';
      await page.evaluate(
        `${target}.attachShadow({ mode: 'open' }).innerHTML = '<span id="inner"></span><button id="a">A</button>'; 0`,
      );
      expect(await ids('button')).toEqual(['a']);
      await page.evaluate(`const inner = ${target}.shadowRoot.getElementById('inner');
        inner.attachShadow({ mode: 'open' }).innerHTML = '<button id="b">B</button>'; 0`);
      expect(await ids('button')).toEqual(['b', 'a']);
      await page.evaluate(`${target}.shadowRoot.getElementById('inner').remove()`);
      expect(await ids('button')).toEqual(['a']);
    },
  );

  test('CSS combinators match across the boundary of a shadow root', async () => {
    await page.show(CARD);
    expect(await ids('x-card .buy')).toEqual(['b1', 'b2', 'b3']);
    expect(await ids('x-card > .wrap > button + button')).toEqual(['b2']);
    expect(await ids('body x-card button:not([disabled]), #before button')).toEqual(['b0', 'b1', 'b3']);
  });

  test('XPath finds elements in shadow roots in document order', async () => {
    await page.show(CARD);
    expect(await ids('//button[@id="b9"]')).toEqual(['b9']);
    expect(await ids('//x-card//button')).toEqual(['b1', 'b2', 'b3']);
    expect(await ids('xpath=//button')).toEqual(['b0', 'b1', 'b2', 'b3', 'b9']);
    expect(await ids('(//button)[2]')).toEqual(['b1']);
    expect(await ids('(//button)[last()]')).toEqual(['b9']);
  });

  test('XPath predicates apply inside shadow roots', async () => {
    await page.show(CARD);
    expect(await ids("//x-card//button[text()='Buy plums']")).toEqual(['b2']);
    expect(await ids("//x-card//button[contains(., 'pears') and @data-n='1']")).toEqual(['b1']);
    expect(await ids("//x-card//button[normalize-space()='Buy pears' or @disabled]")).toEqual(['b1', 'b2']);
    expect(await ids('//x-card//button[last()]')).toEqual(['b2', 'b3']);
    expect(await ids('//x-card//button[position()=1]')).toEqual(['b1', 'b3']);
    expect(await ids('//x-card//button[not(@disabled)]')).toEqual(['b1', 'b3']);
    expect(await ids("//x-card//div[button[@data-n='1']]/button[2]")).toEqual(['b2']);
    expect(await ids('(//x-card//button)[2]')).toEqual(['b2']);
  });

  test('XPath with a predicate that cannot apply inside a shadow root is invalid', async () => {
    await page.show(CARD);
    expect(await page.call('resolve', { selector: "//button[ancestor::x-card][@data-n='1']" })).toMatchObject({
      kind: 'invalid',
      message: expect.stringContaining('[ancestor::x-card]'),
    });
  });

  test('reports `no-shadow-root` with the host when an XPath leads into a missing shadow root', async () => {
    await page.show('<x-plain><p>no root</p></x-plain>');
    expect(await page.call('resolve', { selector: '/html[1]/body[1]/x-plain[1]//button[1]' })).toEqual({
      kind: 'no-shadow-root',
      matched: '/html[1]/body[1]/x-plain[1]',
    });
  });

  test('`text=` matches the innermost element in any case, and a quoted text exactly', async () => {
    await page.show(`<div id="outer"><p id="p">Save <b id="bold">changes</b> now</p><button id="s">Save</button></div>
    <input id="submit" type="submit" value="Save all"><p id="split">Add
      to   cart</p><script>/* Save */</script>`);
    expect(await ids('text=save')).toEqual(['p', 's', 'submit']);
    expect(await ids('text=CHANGES')).toEqual(['bold']);
    expect(await ids('text=save changes')).toEqual(['p']);
    expect(await ids('text="Save"')).toEqual(['s']);
    expect(await ids('text="save"')).toEqual([]);
    expect(await ids('text=add to cart')).toEqual(['split']);
    expect(await ids("text=it's")).toEqual([]);
  });

  test('`text=` matches in shadow roots, and does not join the words of adjacent cells', async () => {
    await page.show(CARD);
    expect(await ids('text=buy pears')).toEqual(['b1']);
    expect(await ids('text=slotted')).toEqual(['light']);
    await page.show('<table><tr id="row"><td id="a">Foo</td><td id="b">Bar</td></tr></table>');
    expect(await ids('text=foobar')).toEqual([]);
    expect(await ids('text=foo bar')).toEqual(['row']);
  });

  test('`text=` finds an element on a page of 10,000 elements', async () => {
    await page.show(`${'<div><span>row</span> of <b>many</b></div>'.repeat(3400)}<p id="last">needle</p>`);
    expect(await ids('text=needle')).toEqual(['last']);
  });

  test('`role=` matches by role, name and state', async () => {
    await page.show(`<button id="b1">Save</button><button id="b2">Save draft</button><a id="a1" href="#">Save</a>
    <h2 id="h2">Title</h2><h3 id="h3">Title</h3><input type="checkbox" id="c1" aria-label="News" checked><input type="checkbox" id="c2" aria-label="Mail">
    <button id="e1" aria-expanded="false">Menu</button><button id="d1" disabled>Gone</button><button style="display:none" id="hid">Save</button>`);
    expect(await ids('role=button[name="Save"]')).toEqual(['b1']);
    expect(await ids('role=button[name="save" i]')).toEqual(['b1', 'b2']);
    expect(await ids('role=button[name=/^save\\s[a-z]+$/i]')).toEqual(['b2']);
    expect(await ids('role=heading[level=3]')).toEqual(['h3']);
    expect(await ids('role=checkbox[checked]')).toEqual(['c1']);
    expect(await ids('role=checkbox[checked=false]')).toEqual(['c2']);
    expect(await ids('role=button[expanded=false]')).toEqual(['e1']);
    expect(await ids('role=button[disabled]')).toEqual(['d1']);
    expect(await ids('role=button[name="Save"][include-hidden]')).toEqual(['b1', 'hid']);
  });

  test('`label=` matches a control by its label text', async () => {
    await page.show(
      '<label for="m">E-mail address</label><input id="m"><input id="n" aria-label="Name"><input id="o">',
    );
    expect(await ids('label=e-mail')).toEqual(['m']);
    expect(await ids('label="Name"')).toEqual(['n']);
  });

  test('`a >> b` searches inside the match of `a`, and `nth=` picks one of several', async () => {
    await page.show(
      '<ul><li><b>One</b><button id="x1">Go</button></li><li><b>Two</b><button id="x2">Go</button></li></ul>',
    );
    expect(await ids('li >> nth=1 >> text=Go')).toEqual(['x2']);
    expect(await ids('ul >> xpath=//li[2] >> button')).toEqual(['x2']);
    expect(await ids('ul >> (//button)[1]')).toEqual(['x1']);
    expect(await ids('li:has-text')).toMatchObject({ kind: 'invalid' });
    expect(await page.call('resolve', { selector: 'ul >> nth=0 >> .none' })).toEqual({
      kind: 'none',
      matched: 'ul >> nth=0',
    });
  });

  test('returns the frame and the rest of a selector that leads into a frame', async () => {
    await page.show('<div><iframe id="f" src="/inner"></iframe></div>', {
      '/inner': '<!doctype html><button id="in">In</button>',
    });
    const frameId = page.frames[1]?.id;
    expect(
      await page.call('resolve', { selector: '/html[1]/body[1]/div[1]/iframe[1]/html[1]/body[1]/button[1]' }),
    ).toMatchObject({
      kind: 'frame',
      frameId,
      rest: '/html[1]/body[1]/button[1]',
    });
    expect(await page.call('resolve', { selector: '//iframe[@id="f"]//button >> text=In' })).toMatchObject({
      kind: 'frame',
      frameId,
      rest: '//button >> text=In',
    });
    expect(await page.call('resolve', { selector: '#f >> role=button[name="In"]' })).toMatchObject({
      kind: 'frame',
      frameId,
      rest: 'role=button[name="In"]',
    });
    expect(await page.call('resolve', { selector: '#f' })).toMatchObject({ kind: 'element' });
  });

  test.each([
    ['div[', 'unclosed'],
    ['div..x', 'not a valid selector'],
    ['//button[@]', 'cannot be parsed'],
    ['count(//button)', 'not a valid selector'],
    ['xpath=count(//button)', 'returns a value'],
    ['text=', 'needs the text'],
    ['role=button[colour=red]', 'not supported'],
    ['role=button[name=/x{2,1}/]', 'regular expression'],
    ['a >> >> b', 'empty part'],
    ['text="Save', 'unclosed'],
  ])('reports the malformed selector %s as invalid and explains why', async (selector, words) => {
    await page.show('<button>x</button>');
    expect(await page.call('resolve', { selector })).toMatchObject({
      kind: 'invalid',
      message: expect.stringContaining(words),
    });
  });

  test('gives an element the same ref for each selector, and reports the ref as `stale` once removed', async () => {
    await page.show('<button id="b">Go</button>');
    const byId = await page.call('resolve', { selector: '#b' });
    expect(byId).toMatchObject({ kind: 'element', count: 1 });
    expect(await page.call('resolve', { selector: 'text=go' })).toEqual(byId);
    const ref = byId.kind === 'element' ? byId.ref : 0;
    await page.evaluate('document.getElementById("b").remove()');
    expect(await page.call('resolve', { ref })).toEqual({ kind: 'stale' });
  });

  test('`index` picks the nth match, and reports an index past the end', async () => {
    await page.show('<i id="i0"></i><i id="i1"></i>');
    expect(await page.call('describe', { selector: 'i', index: 1 })).toMatchObject({ tag: '<i#i1>' });
    expect(await page.call('resolve', { selector: 'i', index: 2 })).toEqual({
      kind: 'none',
      matched: 'i',
      isPastTheEnd: true,
    });
  });

  test('reports the matched part of an XPath that finds nothing', async () => {
    await page.show('<div><p>here</p></div>');
    expect(await page.call('resolve', { selector: '/html[1]/body[1]/div[1]/p[1]/button[1]' })).toEqual({
      kind: 'none',
      matched: '/html[1]/body[1]/div[1]/p[1]',
    });
  });
});

describe('XPath of an element', () => {
  const PAGES: Readonly<Record<string, string>> = {
    'plain markup with repeated siblings':
      '<div><p>a<p>b<span>c</span></div><div><ul><li>1<li>2<li><b>3</b></ul></div><table><tr><td>x</table>',
    'SVG and MathML with the tag names of HTML around them':
      '<a>html</a><svg><a><title>t</title><path></path><path></path></a><foreignObject><div><svg><g></g></svg></div></foreignObject></svg><a>again</a><math><mi>x</mi><mrow><mi>y</mi></mrow></math>',
    'forms whose controls have the names of DOM properties':
      '<form><input name="parentNode"><input name="children"><input name="localName"><input name="querySelectorAll"><fieldset name="nodeType"><input name="id"></fieldset></form><img name="body"><img name="documentElement">',
    'unusual tag names': "<foo:bar><x-1.2></x-1.2><x_y></x_y></foo:bar><it's>quoted</it's><emoji-😀></emoji-😀>",
    'nested shadow roots with slotted children that equal the shadow content': `<x-a><div><button>light</button></div><button>light</button></x-a>
    <script>
      const a = document.querySelector('x-a').attachShadow({ mode: 'open' });
      a.innerHTML = '<div><button>shadow</button></div><x-b><div>between</div></x-b><x-b></x-b><slot></slot>';
      for (const b of a.querySelectorAll('x-b')) b.attachShadow({ mode: 'open' }).innerHTML = '<div><svg><path></path></svg></div><div><button>deep</button></div>';
    </script>`,
    'elements outside the body and templates':
      '<template><p>not here</p></template><select><optgroup label="g"><option>1<option>2</optgroup></select><dialog open><p>d</p></dialog>',
  };

  test.each(Object.entries(PAGES))('resolves to the same element on a page with %s', async (_name, html) => {
    await page.show(html);
    const refs = await page.refsOf('*');
    if (!Array.isArray(refs)) throw new TypeError(JSON.stringify(refs));
    expect(refs.length).toBeGreaterThan(5);
    for (const ref of refs) {
      const description = await page.call('describe', { ref });
      expect(await page.call('resolve', { selector: description?.xpath ?? '' }), description?.xpath).toMatchObject({
        kind: 'element',
        ref,
      });
    }
  });

  test('finds every element outside shadow roots with document.evaluate()', async () => {
    await page.show(Object.values(PAGES).join(''));
    const outcome = await page.evaluate(`document.querySelectorAll('*').length`);
    const refs = await page.refsOf('*');
    const paths = await Promise.all(
      (Array.isArray(refs) ? refs : []).map(async (ref: number) => (await page.call('describe', { ref }))?.xpath ?? ''),
    );
    const light = paths.filter((path) => !path.includes('//'));
    const found = await page.evaluate(
      `new Set(${JSON.stringify(light)}.map((path) => document.evaluate(path, document, null, 9).singleNodeValue)).size`,
    );
    expect(light.length).toBe(outcome);
    expect(found).toBe(light.length);
  });

  test('enters a closed shadow root like an open one, and resolves once the root is adopted', async () => {
    await page.show(
      `<x-a></x-a><script>document.querySelector('x-a').attachShadow({ mode: 'closed' }).innerHTML = '<p><button>in</button></p>';</script>`,
    );
    await page.adoptClosedRoot('x-a');
    const description = await page.call('describe', { selector: 'text=in' });
    expect(description?.xpath).toBe('/html[1]/body[1]/x-a[1]//p[1]/button[1]');
    expect(await page.call('resolve', { selector: `xpath=${description?.xpath}` })).toMatchObject({
      kind: 'element',
      ref: description?.ref,
    });
  });

  test('resolves to the same element in an XML document', async () => {
    await page.show('<p>unused</p>', {
      '/doc.xhtml': (_request, response) => {
        response.writeHead(200, { 'content-type': 'application/xhtml+xml' });
        response.end(
          '<html xmlns="http://www.w3.org/1999/xhtml"><head><title>x</title></head><body><p>one</p><p>two<b>three</b></p></body></html>',
        );
      },
    });
    await page.browser.goto(`${page.server.origin}/doc.xhtml`);
    const refs = await page.refsOf('*');
    if (!Array.isArray(refs)) throw new TypeError(`no elements: ${JSON.stringify(refs)}`);
    expect(refs).toHaveLength('html head title body p p b'.split(' ').length);
    for (const ref of refs) {
      const path = (await page.call('describe', { ref }))?.xpath ?? '';
      expect(await page.call('resolve', { selector: path }), path).toMatchObject({ kind: 'element', ref });
      expect(
        await page.evaluate(`document.evaluate(${JSON.stringify(path)}, document, null, 9).singleNodeValue !== null`),
        path,
      ).toBe(true);
    }
  });

  test('describe() names the tag with its id and three classes, and marks a password field', async () => {
    await page.show('<input type="password" id="pw" class="a b c d" aria-label="Secret" value="hush">');
    expect(await page.call('describe', { selector: '#pw' })).toMatchObject({
      tag: '<input#pw.a.b.c>',
      isPassword: true,
      name: 'Secret',
      role: 'textbox',
    });
  });
});

describe('closed shadow roots', () => {
  const CLOSED = (html: string, host: string): string =>
    `${host}.attachShadow({ mode: 'closed' }).innerHTML = ${JSON.stringify(html)}`;

  test.each([
    '#deep',
    'text=Deep',
    'role=button[name="Deep"]',
    '//button[@id="deep"]',
    '/html[1]/body[1]/x-outer[1]//div[1]/x-inner[1]//p[1]/button[1]',
  ])('finds and clicks an element in nested closed shadow roots by %s', async (selector) => {
    await page.show(`<x-outer></x-outer><script>const root = document.querySelector('x-outer').attachShadow({ mode: 'closed' }); root.innerHTML = '<div><x-inner></x-inner></div>';
      ${CLOSED('<p><button id="deep">Deep</button></p>', "root.querySelector('x-inner')")};</script>`);
    expect(await page.call('resolve', { selector })).toMatchObject({ kind: 'element', count: 1 });
    expect(await page.click(selector)).toMatchObject({ delivered: true });
  });

  test('finds a closed shadow root on a plain element, and one that appears during the wait', async () => {
    await page.show(`<div id="host"></div><script>${CLOSED('<button id="b">In</button>', 'host')};
    setTimeout(() => { const late = document.createElement('x-late'); ${CLOSED('<button id="later">Later</button>', 'late')}; document.body.append(late); }, 300);</script>`);
    expect(await page.call('resolve', { selector: '#b' })).toMatchObject({ kind: 'element' });
    expect(await page.prepare('#later', 'click')).toMatchObject({ kind: 'ready' });
  });

  test('reports `none` for a missing element on a page of 100 custom elements', async () => {
    await page.show('<x-a><x-b>text</x-b></x-a>'.repeat(50));
    expect(await page.call('resolve', { selector: '#none' })).toMatchObject({ kind: 'none' });
    expect(await page.prepare('#none', 'click', { timeout: 600 })).toMatchObject({ kind: 'none' });
    expect(await page.refsOf('#none')).toEqual([]);
  });
});
