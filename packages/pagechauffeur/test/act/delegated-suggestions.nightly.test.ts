import { join } from 'node:path';
import { afterEach, beforeAll, beforeEach, describe, expect, it, type MockInstance, vi } from 'vitest';
import { packageDirectory } from '../../../../apps/http-app.ts';
import { World } from '../../src/cdp/world.ts';
import { bundled, bundledReact, fileOf } from '../support/framework-scripts.ts';
import { useBrowser } from '../support/use-browser.ts';

const browser = useBrowser();
let calls: MockInstance;

beforeAll(async () => {
  const scripts: Readonly<Record<string, string>> = {
    '/react.js': await bundledReact(),
    '/solid.js': await bundled(
      `import { delegateEvents } from 'solid-js/web'; globalThis.delegateEvents = delegateEvents`,
    ),
    '/svelte.js': await bundledSvelte(
      `<label>City <input id="city" oninput={globalThis.suggest}></label><label>Street <input id="street"></label>`,
    ),
    '/jquery.js': fileOf('jquery', 'dist/jquery.js'),
    '/jquery-1.js': fileOf('jquery-1', 'dist/jquery.js'),
  };
  for (const [path, script] of Object.entries(scripts))
    browser.server.page(path, (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/javascript; charset=utf-8' }).end(script);
    });
});

beforeEach(() => {
  calls = vi.spyOn(World.prototype, 'start');
});

afterEach(() => calls.mockRestore());

/** A script that shows a component of Svelte in the page. */
async function bundledSvelte(component: string): Promise<string> {
  const { compile } = await import(join(packageDirectory('svelte'), 'src/compiler/index.js'));
  const { js } = compile(component, { generate: 'client', name: 'Field', fragments: 'html' });
  const code = String(js.code).replace('export default function', 'function');
  return bundled(`import { mount } from 'svelte'; ${code}; mount(Field, { target: document.querySelector('#root') })`);
}

const SHOWS = `<div id="root"></div><ul id="list" hidden></ul><script>
  globalThis.suggest = () => setTimeout(() => { list.innerHTML = '<li>Berlin'; list.hidden = false }, 300)</script>`;
const FIELDS = '<label>City <input id="city"></label><label>Street <input id="street"></label>';
const REACT = (city: string): string => `${SHOWS}<script src="/react.js"></script><script>
  const h = React.createElement;
  function App() {
    const [text, setText] = React.useState('');
    const heard = (event) => { setText(event.target.value); suggest() };
    return h('div', null, h('label', null, 'City', h('input', { id: 'city', ${city} })), h('label', null, 'Street', h('input', { id: 'street' })));
  }
  createRoot(root).render(h(App))</script>`;
const JQUERY = (file: string, event: string): string =>
  `${SHOWS}<form>${FIELDS}</form><script src="/${file}.js"></script><script>$('form').on('${event}', '#city', suggest)</script>`;

const PAGES: readonly (readonly [framework: string, html: string])[] = [
  ['React, by onChange', REACT('value: text, onChange: heard')],
  ['React, by onInput', REACT('onInput: heard')],
  ['jQuery, by input', JQUERY('jquery', 'input')],
  ['jQuery, by keyup', JQUERY('jquery', 'keyup')],
  ['jQuery 1', JQUERY('jquery-1', 'input')],
  [
    'Solid',
    `${SHOWS}${FIELDS}<script src="/solid.js"></script><script>delegateEvents(['input']); city.$$input = suggest</script>`,
  ],
  ['Svelte', `${SHOWS}<script src="/svelte.js"></script>`],
];

async function type(html: string, selector: string): Promise<void> {
  await browser.page.goto(browser.server.page('/', `<!doctype html><title>City</title>${html}`));
  await browser.page.waitForSelector(selector);
  await browser.driver.act({ selector, method: 'fill', arguments: ['Ber'], description: 'the field' });
}

/** Whether the page was asked what text has brought. */
function hasWaited(): boolean {
  return calls.mock.calls.some(([method]) => method === 'awaitSuggestions');
}

describe('suggestions from delegated event listeners', () => {
  it.each(PAGES)('waits for suggestions after typing: %s', async (_framework, html) => {
    await type(html, '#city');
    expect(hasWaited()).toBe(true);
    expect(await browser.page.locator('#list').innerText()).toContain('Berlin');
  });

  it.each(PAGES)('does not wait after typing into a field without a handler: %s', async (_framework, html) => {
    await type(html, '#street');
    expect(hasWaited()).toBe(false);
  });

  it.each([
    ['a password field', `type: 'password', onChange: heard`],
    ['a field with autocomplete "street-address"', `autoComplete: 'street-address', onChange: heard`],
  ])('does not wait after typing into %s', async (_what, city) => {
    await type(REACT(city), '#city');
    expect(hasWaited()).toBe(false);
  });

  it('looks for a handler without running page code', async () => {
    await type(
      `${REACT('onChange: heard')}<script>globalThis.read = 0;
        Object.defineProperty(Element.prototype, '__reactProps$x', { get() { read += 1; return {} } });
        const { getAttribute, matches } = Element.prototype;
        Element.prototype.getAttribute = function (name) { read += 1; return Reflect.apply(getAttribute, this, [name]) };
        Reflect.ownKeys = () => { read += 1; return [] }</script>`,
      '#street',
    );
    expect(await browser.page.evaluate('read')).toBe(0);
  });
});
