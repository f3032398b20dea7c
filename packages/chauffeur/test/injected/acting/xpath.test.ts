import { afterAll, beforeAll, expect, test } from 'vitest';
import { ProgramPage } from '../program-page.ts';

let page: ProgramPage;
beforeAll(async () => {
  page = await ProgramPage.open();
});
afterAll(() => page[Symbol.asyncDispose]());

const PAGES: Readonly<Record<string, string>> = {
  'plain markup with repeated siblings':
    '<div><p>a<p>b<span>c</span></div><div><ul><li>1<li>2<li><b>3</b></ul></div><table><tr><td>x</table>',
  'SVG and MathML among HTML of the same names':
    '<a>html</a><svg><a><title>t</title><path></path><path></path></a><foreignObject><div><svg><g></g></svg></div></foreignObject></svg><a>again</a><math><mi>x</mi><mrow><mi>y</mi></mrow></math>',
  'forms whose controls have the names of DOM properties':
    '<form><input name="parentNode"><input name="children"><input name="localName"><input name="querySelectorAll"><fieldset name="nodeType"><input name="id"></fieldset></form><img name="body"><img name="documentElement">',
  'unusual tag names': "<foo:bar><x-1.2></x-1.2><x_y></x_y></foo:bar><it's>quoted</it's><emoji-😀></emoji-😀>",
  'shadow roots in shadow roots with slotted light children that look like the shadow content': `<x-a><div><button>light</button></div><button>light</button></x-a>
    <script>
      const a = document.querySelector('x-a').attachShadow({ mode: 'open' });
      a.innerHTML = '<div><button>shadow</button></div><x-b><div>between</div></x-b><x-b></x-b><slot></slot>';
      for (const b of a.querySelectorAll('x-b')) b.attachShadow({ mode: 'open' }).innerHTML = '<div><svg><path></path></svg></div><div><button>deep</button></div>';
    </script>`,
  'elements outside the body and templates':
    '<template><p>not here</p></template><select><optgroup label="g"><option>1<option>2</optgroup></select><dialog open><p>d</p></dialog>',
};

test.each(Object.entries(PAGES))('every element leads back to itself by its XPath: %s', async (_name, html) => {
  await page.show(html);
  const refs = await page.call('resolveAll', '*');
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

test('every element outside shadow roots is found by the browser itself under that XPath', async () => {
  await page.show(Object.values(PAGES).join(''));
  const outcome = await page.evaluate(`document.querySelectorAll('*').length`);
  const refs = await page.call('resolveAll', '*');
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

test('a hop into a closed shadow root is written like one into an open root and found again once the root is known', async () => {
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

test('XPaths hold in an XML document', async () => {
  await page.show('<p>unused</p>', {
    '/doc.xhtml': (_request, response) => {
      response.writeHead(200, { 'content-type': 'application/xhtml+xml' });
      response.end(
        '<html xmlns="http://www.w3.org/1999/xhtml"><head><title>x</title></head><body><p>one</p><p>two<b>three</b></p></body></html>',
      );
    },
  });
  await page.browser.goto(`${page.server.origin}/doc.xhtml`);
  const refs = await page.call('resolveAll', '*');
  for (const ref of Array.isArray(refs) ? refs : []) {
    const path = (await page.call('describe', { ref }))?.xpath ?? '';
    expect(await page.call('resolve', { selector: path }), path).toMatchObject({ kind: 'element', ref });
    expect(
      await page.evaluate(`document.evaluate(${JSON.stringify(path)}, document, null, 9).singleNodeValue !== null`),
      path,
    ).toBe(true);
  }
});

test('a description names the tag with its id and classes and tells password fields', async () => {
  await page.show('<input type="password" id="pw" class="a b c d" aria-label="Secret" value="hush">');
  expect(await page.call('describe', { selector: '#pw' })).toMatchObject({
    tag: '<input#pw.a.b.c>',
    isPassword: true,
    name: 'Secret',
    role: 'textbox',
  });
});
