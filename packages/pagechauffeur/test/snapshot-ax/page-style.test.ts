import { createServer, type Server } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { launchForTest, type TestBrowser } from '../support/launch-for-test.ts';
import { serve, type TestServer } from '../support/serve.ts';
import { FramePage } from './frame-lines.ts';

const list = '<ul><li>One</li><li class="x">Two</li><li><b>Three</b> 3</li></ul>';
const seenList = ['list', '  listitem One', '  listitem Two', '  listitem Three 3'];
const withoutTwo = ['list', '  listitem One', '  listitem Three 3'];

describe('snapshot of styled elements', () => {
  let browser: TestBrowser;
  let server: TestServer;
  let otherOrigin: Server;
  let page: FramePage;

  beforeAll(async () => {
    otherOrigin = createServer((_, response) =>
      response.setHeader('content-type', 'text/css').end('.x { opacity: 0 }'),
    );
    otherOrigin.listen(0, '127.0.0.1');
    [browser, server] = await Promise.all([launchForTest(), serve(), once(otherOrigin, 'listening')]);
    page = new FramePage(browser, server);
  });
  afterAll(async () => {
    await Promise.all([browser.close(), server.close()]);
    otherOrigin.close();
  });

  it('shows every item of a list without styles', async () => {
    expect(await page.lines(list)).toEqual(seenList);
  });

  it.each([
    ['a `display: none` rule', '.x { display: none }'],
    ['an opacity rule', '.x { opacity: 0 }'],
    ['a rule with a transparent color', '.x { color: transparent }'],
    ['a rule with font size 0', '.x { font-size: 0 }'],
    ['a rule with font size 0 in a shorthand', '.x { font: 0/1 serif }'],
    ['a rule that moves it off the page', '.x { position: absolute; left: -9999px }'],
    ['an `:nth-child()` rule', 'li:nth-child(2) { visibility: hidden }'],
    ['a `:not(:has())` rule', 'li:not(:has(b)):not(:first-child) { opacity: 0 }'],
    ['an `@media` rule', '@media screen { .x { opacity: 0 } }'],
    ['a `@layer` rule', '@layer base { .x { opacity: 0 } }'],
    ['a `@supports` rule', '@supports (color: red) { @media all { .x { opacity: 0 } } }'],
    ['a nested rule', 'ul { & .x { opacity: 0 } }'],
    ['declarations after a nested rule', '.x { & b { color: red } opacity: 0 }'],
    ['a `@scope` rule', '@scope (ul) { .x { opacity: 0 } }'],
    ['a `:scope` rule', '@scope (.x) { :scope { opacity: 0 } }'],
    ['a `@container` rule', 'body { container-type: inline-size } @container (min-width: 1px) { .x { opacity: 0 } }'],
    ['a custom property', ':root { --seen: 0 } .x { opacity: var(--seen) }'],
    ['an animation', '@keyframes gone { from, to { opacity: 0 } } .x { animation: gone 1s both }'],
    ['a paused animation', '@keyframes gone { from { opacity: 0 } } .x { animation: gone 1s paused }'],
  ])('omits an item hidden by %s', async (_, css) => {
    expect(await page.lines(`<style>${css}</style>${list}`)).toEqual(withoutTwo);
  });

  it.each([
    ['a rule that a script inserts', `document.styleSheets[0].insertRule('.x { opacity: 0 }')`],
    ['a rule that a script changes', `document.styleSheets[0].cssRules[0].style.opacity = '0'`],
    ['a selector that a script changes', `document.styleSheets[0].cssRules[1].selectorText = '.x'`],
    ['new text of a style element', `document.querySelector('style').textContent = '.x { opacity: 0 }'`],
    [
      'a style sheet that a script adopts',
      `const sheet = new CSSStyleSheet(); sheet.replaceSync('.x { opacity: 0 }'); document.adoptedStyleSheets.push(sheet)`,
    ],
    ['a media query that begins to match', `document.styleSheets[0].cssRules[2].media.mediaText = 'screen'`],
    ['a class', `document.querySelector('b').parentNode.previousElementSibling.className = 'gone'`],
    ['its inline style', `document.querySelector('.x').style.opacity = '0'`],
    ['its typed inline style', `document.querySelector('.x').attributeStyleMap.set('opacity', 0)`],
    ['its `hidden` attribute', `document.querySelector('.x').hidden = true`],
    [
      'a finished script animation',
      `document.querySelector('.x').animate({ opacity: [0, 0] }, { duration: 1, fill: 'forwards' }).finish()`,
    ],
  ])('omits an item that becomes hidden by %s after the first snapshot', async (_, source) => {
    const css = '.x { color: red } .gone { opacity: 0 } @media print { .x { opacity: 0 } }';
    await page.load(`<style>${css}</style>${list}`);
    expect(await page.currentLines()).toEqual(seenList);
    await page.run(source);
    expect(await page.currentLines()).toEqual(withoutTwo);
  });

  it('omits an item hidden by a style sheet of another origin', async () => {
    const { port } = otherOrigin.address() as AddressInfo;
    expect(await page.lines(`<link rel="stylesheet" href="http://127.0.0.1:${port}/x.css">${list}`)).toEqual(
      withoutTwo,
    );
  });

  it('omits an item that becomes transparent as it loses its transition class', async () => {
    await page.lines(`<style>.x { transition: opacity 1s steps(1, start) }</style>${list}`);
    await page.run(
      `const item = document.querySelector('.x'); getComputedStyle(item).opacity; item.style.opacity = '0'; item.removeAttribute('class')`,
    );
    expect(await page.currentLines()).toEqual(withoutTwo);
  });

  it('omits text deep in a transparent or hidden list, but keeps visible text in the hidden one', async () => {
    expect(
      await page.lines(
        '<style>ul { opacity: 0 } b { opacity: 1; color: red }</style><p>Seen</p><ul><li><i><b>Gone</b></i></ul>',
      ),
    ).toEqual(['"Seen"']);
    expect(
      await page.lines(
        '<style>ul { visibility: hidden } b { visibility: visible }</style><ul><li>Gone<li><i><b>Seen</b></i></ul>',
      ),
    ).toEqual(['"Seen"']);
  });

  it('shows an item with the `hidden` attribute if a style sheet displays it', async () => {
    expect(
      await page.lines('<style>li[hidden] { display: list-item }</style><ul><li>One</li><li hidden>Two</li></ul>'),
    ).toEqual(['list', '  listitem One', '  listitem Two']);
  });

  it('marks the outermost element with `cursor: pointer` as clickable, unless all elements have it', async () => {
    expect(
      await page.lines(
        '<style>.row { cursor: pointer }</style><table><tr><th>Name<tr class="row"><td>One<td>1</table>',
      ),
    ).toEqual(['table', '  row', '    columnheader Name', '  * row (clickable)', '    cell One', '    cell 1']);
    expect(await page.lines('<style>* { cursor: pointer }</style><p>One</p><ul><li>Two</ul>')).toEqual([
      '"One"',
      'list',
      '  listitem Two',
    ]);
  });

  it('joins or separates text according to its `display` style', async () => {
    expect(
      await page.lines(
        '<style>ol { display: flex } i { display: block }</style><ol><b>One</b><b>Two</b></ol><ul><b>Three</b><i>Four</i></ul>',
      ),
    ).toEqual(['list', '  "One"', '  "Two"', 'list', '  "Three"', '  "Four"']);
  });

  it('applies `text-transform` and generated content to the names of links and buttons', async () => {
    expect(
      await page.lines(
        `<style>ul { text-transform: uppercase } button.loud { text-transform: uppercase } a.more::after { content: ' ›' }</style>` +
          `<ul><li><a href="/a">Home</a><li><button>Save</button><li><button class="loud">Save</button><li><a class="more" href="/b">Next</a></ul>`,
      ),
    ).toEqual([
      'list',
      `  * link HOME (url=${server.origin}/a)`,
      '  * button Save',
      '  * button SAVE',
      `  * link NEXT › (url=${server.origin}/b)`,
    ]);
  });

  it('applies the styles of a shadow root to its content and to slotted elements', async () => {
    const root = (css: string): string =>
      `<div><template shadowrootmode="open"><style>${css}</style><ul><slot></slot></ul></template><li>One</li><li class="x">Two</li></div>`;
    expect(await page.lines(root(''))).toEqual(['list', '  listitem One', '  listitem Two']);
    for (const css of [
      '::slotted(.x) { opacity: 0 }',
      ':host(div) ::slotted(.x) { visibility: hidden }',
      '::slotted(.x) { display: none }',
    ])
      expect(await page.lines(root(css)), css).toEqual(['list', '  listitem One']);
    for (const css of [':host { opacity: 0 }', ':host { display: none }', 'ul { opacity: 0 }', 'slot { font-size: 0 }'])
      expect(await page.lines(root(css)), css).toEqual([]);
  });
});
