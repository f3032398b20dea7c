import { describe, expect, test } from 'vitest';
import type { ActResult } from '../../src/index.ts';
import { ScriptedModel, refOf } from '../../src/testing.ts';
import { oddPages } from '../odd-pages/odd-page.ts';

const model = new ScriptedModel([
  (request) => ({
    text: '',
    calls: [{ tool: 'hover', input: { ref: refOf(request, { role: 'button', name: 'Products' }) } }],
  }),
  { text: '', calls: [{ tool: 'done', input: { success: true, message: 'Open.' } }] },
]);
const odd = oddPages({ llmClient: model });

interface Case {
  readonly html: string;
  readonly method?: string;
  readonly arguments?: readonly string[];
  /** What is acted on, if not `#go`. */
  readonly on?: string;
  readonly says?: string;
}

const MENU = '<ul class="menu"><li><a href="/a">Alpha</a></li><li><a href="/b">Beta</a></li></ul>';
/** A menu after a button; these styles hide it, and show it while the pointer is on either. */
const menu = (hidden: string, shown: string): string =>
  `<style>.menu { position: absolute; ${hidden} } .holder:hover .menu { ${shown} }</style><div class="holder"><button id="go">Products</button>${MENU}</div>`;

async function done({ html, method = 'hover', arguments: args = [], on = '#go' }: Case): Promise<ActResult> {
  // The pointer is where the last action left it.
  await odd.page.mouse.move(900, 600);
  await odd.open(`<p>Text above</p>${html}`);
  return odd.act(on, method, ...args);
}

function each(effect: ActResult['effect'], cases: Readonly<Record<string, Case>>): void {
  test.each(Object.entries(cases))(`reports "${effect}" for %s`, async (_what, wanted) => {
    const { effect: seen, message } = await done(wanted);
    expect(message).toContain(wanted.says ?? '');
    expect(seen, message).toBe(effect);
  });
}

const ALPHA = 'popup "Alpha Beta" opened';
const BULK = '<div><p>Some <b>words</b></p></div>'.repeat(1200);

describe('menus that only a style sheet opens', () => {
  each('opened', {
    'a menu shown by display': { html: menu('display: none', 'display: block'), says: ALPHA },
    'a menu shown by visibility with a transition': {
      html: menu('visibility: hidden; opacity: 0; transition: all 0.2s', 'visibility: visible; opacity: 1'),
      says: ALPHA,
    },
    'a menu shown by a delayed transition': {
      html: menu('visibility: hidden; transition: visibility 0s 0.3s', 'visibility: visible'),
      says: ALPHA,
    },
    'a menu moved into view': { html: menu('left: -999em', 'left: auto'), says: ALPHA },
    'a menu shown by max-height': {
      html: menu('max-height: 0; overflow: hidden; transition: max-height 0.2s', 'max-height: 300px'),
      says: ALPHA,
    },
    'a menu shown by scale': { html: menu('transform: scaleY(0)', 'transform: none'), says: ALPHA },
    'a menu far from the button, shown by :has()': {
      html: `<style>.menu { display: none; position: absolute } body:has(#go:hover) .menu { display: block }</style><button id="go">Products</button><main><div>${MENU}</div></main>`,
    },
    'a menu in a shadow root': {
      html: `<div id="host"></div><script>host.attachShadow({ mode: 'open' }).innerHTML = \`${menu('display: none', 'display: block')}\`</script>`,
      says: ALPHA,
    },
    'a menu in a frame': {
      html: `<iframe srcdoc='${menu('display: none', 'display: block')}'></iframe>`,
      on: 'iframe >> #go',
      says: ALPHA,
    },
    'a menu on a large page': { html: BULK + menu('display: none', 'display: block') + BULK, says: ALPHA },
    'a menu shown by a checkbox that the click checks': {
      html: `<style>nav { display: none; position: absolute } #on:checked ~ nav { display: block }</style><input type="checkbox" id="on" hidden><label for="on" id="go">Menu</label><nav>${MENU}</nav>`,
      method: 'click',
      says: ALPHA,
    },
    'a menu shown by focus after a click': {
      html: `<style>.menu { display: none; position: absolute } .holder:focus-within .menu { display: block }</style><div class="holder"><button id="go">Products</button>${MENU}</div>`,
      method: 'click',
      says: ALPHA,
    },
    'a menu shown by focus after a fill': {
      html: `<style>.menu { display: none; position: absolute } .holder:focus-within .menu { display: block }</style><div class="holder"><input id="go" aria-label="Search">${MENU}</div>`,
      method: 'fill',
      arguments: ['mug'],
      says: ALPHA,
    },
    'a menu shown by :target': {
      html: `<style>#sheet { display: none; position: fixed } #sheet:target { display: block }</style><a id="go" href="#sheet">Products</a><div id="sheet">${MENU}</div>`,
      method: 'click',
      says: ALPHA,
    },
  });
});

describe('content that only a style sheet or the browser shows or hides', () => {
  each('changed', {
    'text shown on hover': {
      html: `<style>span { display: none } #go:hover span { display: inline }</style><button id="go">Info<span> Ships in two days</span></button>`,
    },
    'slotted text shown on hover': {
      html: `<style>#go span { display: none } #go:hover span { display: inline }</style><div id="go">Menu<span> Slotted</span></div><script>go.attachShadow({ mode: 'open' }).innerHTML = '<slot></slot>'</script>`,
    },
    'the panel of a tab that is a radio button': {
      html: `<style>.panel { display: none } #two:checked ~ .two { display: block }</style><input type="radio" name="tab" id="two"><label for="two" id="go">Two</label><p class="panel two">Second panel</p>`,
      method: 'click',
    },
    'a popover that its button closes': {
      html: `<div popover id="pop">Words <button id="go" popovertarget="pop" popovertargetaction="hide">Close</button></div><script>pop.showPopover()</script>`,
      method: 'click',
    },
    'a details element that closes': {
      html: `<details open><summary id="go">More</summary>Words</details>`,
      method: 'click',
    },
  });
});

describe('style changes that do not count', () => {
  each('none-observed', {
    'a button that only changes its color': {
      html: `<style>#go:hover { color: red }</style><button id="go">Products</button>`,
    },
    'text shown only while the button is pressed': {
      html: `<style>span { display: none } #go:active span { display: inline }</style><button id="go">Go<span>Pressed</span></button>`,
      method: 'click',
    },
    'an icon without text or function': {
      html: `<style>i { display: none } #go:hover i { display: inline-block }</style><button id="go">Go<i></i></button>`,
    },
    'text that blinks by an animation': {
      html: `<style>@keyframes blink { 0%, 49% { visibility: hidden } 50%, 100% { visibility: visible } } p { animation: blink 0.1s infinite }</style><button id="go">Go</button><p>Sale</p>`,
      method: 'click',
    },
  });
});

test("tells the agent's model when hovering opened a menu", async () => {
  await odd.page.mouse.move(900, 600);
  await odd.open(menu('display: none', 'display: block'));
  const result = await odd.driver.agent().execute('Open the products menu');
  expect(result.actions[0]).toMatchObject({ tool: 'hover', effect: 'opened' });
  expect(JSON.stringify(model.requests.at(-1)?.messages)).toContain(JSON.stringify(ALPHA).slice(1, -1));
});
