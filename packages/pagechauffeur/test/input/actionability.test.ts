import { beforeAll, describe, expect, it } from 'vitest';
import { DriverClickError, type Page } from '../../src/index.ts';
import { document, record, useInputBench } from './input-bench.ts';

const PLACE = 'position:absolute;left:100px;top:50px;width:100px;height:50px';

const bench = useInputBench();
let page: Page;

beforeAll(() => {
  ({ page } = bench);
});

const clicked = async (): Promise<boolean> => (await bench.seen()).includes('click target');

describe('a click brings into view what is', () => {
  const big = '<div style="height:2000px;width:2000px"></div>';
  const target = '<button id="target">target</button>';
  it.each([
    ['below', `${big}${target}`],
    ['far to the right', `<div style="width:5000px;text-align:right">${target}</div>`],
    ['in a scroller', `<div style="height:100px;overflow:auto">${big}${target}</div>`],
    [
      'in a scroller within a scroller',
      `${big}<div style="height:100px;width:100px;overflow:auto">${big}<div style="height:60px;width:60px;overflow:auto">${big}${target}</div></div>`,
    ],
    [
      'in a scroller across',
      `<div style="width:200px;overflow-x:auto;white-space:nowrap"><span style="display:inline-block;width:3000px">wide</span>${target}</div>`,
    ],
    ['in a part that hides what overflows', `<div style="height:100px;overflow:hidden">${big}${target}</div>`],
    [
      'under a sticky header',
      `<div style="position:sticky;top:0;height:300px;background:#eee">header</div><div style="height:900px"></div>${target}<div style="height:3000px"></div>`,
    ],
    [
      'under a fixed footer',
      `<div style="position:fixed;bottom:0;height:400px;width:100%;background:#eee">footer</div>${big}${target}<div style="height:600px"></div>`,
    ],
    [
      'in a scroller that snaps',
      `<div style="height:200px;overflow:auto;scroll-snap-type:y mandatory">${[1, 2, 3].map((n) => `<section style="height:200px;scroll-snap-align:start">${n}</section>`).join('')}<section style="height:200px;scroll-snap-align:start">${target}</section></div>`,
    ],
    ['in a page that scrolls smoothly', `<style>html { scroll-behavior: smooth }</style>${big}${target}`],
    ['in a frame below', `${big}<iframe src="/inner" style="height:100px"></iframe>`],
    [
      'in a reversed column',
      `<div style="display:flex;flex-direction:column-reverse;height:100px;overflow:auto">${'<p>row</p>'.repeat(20)}${target}</div>`,
    ],
  ])('%s', async (title, html) => {
    bench.server.page('/inner', document(`${big}${target}${record('click')}`));
    await bench.open(`${html}${record('click')}`);
    const isInFrame = title.includes('frame');
    await page.locator(isInFrame ? 'iframe >> #target' : '#target').click();
    expect(await bench.seenIn(isInFrame ? '/inner' : '/input')).toContain('click target');
  });
});

describe('a click waits for what', () => {
  const later = (script: string): string => `<script>setTimeout(() => { ${script} }, 150);</script>`;
  const target = `<button id="target" style="${PLACE}">target</button>`;
  it.each([
    ['appears late', later(`document.body.insertAdjacentHTML('beforeend', \`${target}\`)`)],
    ['is shown late', `${target}<script>target.style.display = 'none'</script>${later("target.style.display = ''")}`],
    [
      'is made visible late',
      `${target}<script>target.style.visibility = 'hidden'</script>${later("target.style.visibility = ''")}`,
    ],
    ['is enabled late', `${target}<script>target.disabled = true</script>${later('target.disabled = false')}`],
    [
      'is enabled late, and lets events through until then',
      `<style>:disabled { pointer-events: none }</style><div tabindex="-1" style="position:absolute;inset:0">${target}</div><script>target.disabled = true</script>${later('target.disabled = false')}`,
    ],
    [
      'is enabled late by its fieldset',
      `<fieldset id="set" disabled>${target}</fieldset>${later('set.disabled = false')}`,
    ],
    [
      'is no longer aria-disabled',
      `<div id="set" aria-disabled="true">${target}</div>${later("set.removeAttribute('aria-disabled')")}`,
    ],
    ['is no longer inert', `<div id="set" inert>${target}</div>${later('set.inert = false')}`],
    [
      'gets a size',
      `${target}<script>target.style.cssText += ';width:0;height:0;padding:0;border:0;overflow:hidden'</script>${later("target.style.width = target.style.height = '50px'")}`,
    ],
    ['loses its cover', `${target}<div id="cover" style="${PLACE};background:#eee"></div>${later('cover.remove()')}`],
    [
      'stops moving',
      `${target}<style>@keyframes go { from { left: 600px } }</style><script>target.style.animation = 'go 300ms linear'</script>`,
    ],
    [
      'is moved by a transition',
      `${target}<script>requestAnimationFrame(() => { target.style.transition = 'top 200ms'; requestAnimationFrame(() => { target.style.top = '300px'; }); });</script>`,
    ],
    [
      'comes into the viewport',
      `${target}<script>target.style.left = '-500px'</script>${later("target.style.left = '100px'")}`,
    ],
  ])('%s', async (_title, html) => {
    await bench.open(`${html}${record('click')}`);
    await page.locator('#target').click();
    expect(await clicked()).toBe(true);
  });
});

describe('a click refuses', () => {
  const target = `<button id="target" style="${PLACE}">target</button>`;
  it.each([
    [
      'what is covered, and names the cover',
      `${target}<div id="banner" class="consent" style="${PLACE};background:#eee"></div>`,
      /<div#banner\.consent> covers it/,
    ],
    [
      'what is covered by something that has neither an id nor a class, and names it by its words',
      `${target}<div style="${PLACE};background:#eee">We use cookies</div>`,
      /<div> "We use cookies" covers it/,
    ],
    [
      'what a shadow root covers',
      `${target}<x-cover id="cover" style="${PLACE};background:#eee"><template shadowrootmode="open"><p id="inside" style="height:100%;margin:0">x</p></template></x-cover>`,
      /covers it/,
    ],
    [
      'what a modal dialog makes inert',
      `${target}<dialog id="dialog">first me</dialog><script>dialog.showModal()</script>`,
      /covers it|inert/,
    ],
    ['what is disabled', `<button id="target" disabled>target</button>`, /disabled/],
    [
      'what is disabled and lets events through to a part that takes the focus',
      `<div tabindex="-1" style="${PLACE}"><button id="target" disabled style="pointer-events:none">target</button></div>`,
      /disabled/,
    ],
    ['what its fieldset disables', `<fieldset disabled>${target}</fieldset>`, /disabled/],
    [
      'what is aria-disabled',
      `<div id="target" role="button" aria-disabled="true" style="${PLACE}">target</div>`,
      /disabled/,
    ],
    ['what is not displayed', `<button id="target" style="display:none">target</button>`, /hidden/],
    ['what is in a hidden part', `<div hidden>${target}</div>`, /hidden/],
    ['what is invisible', `<button id="target" style="visibility:hidden">target</button>`, /hidden/],
    ['what has no size', `<div id="target" style="width:0;height:0;overflow:hidden"></div>`, /no size/],
    ['what is inert', `<div inert>${target}</div>`, /inert/],
    [
      'what no scrolling reaches',
      `<button id="target" style="position:absolute;left:-500px;top:0">target</button>`,
      /outside the viewport/,
    ],
    [
      'what takes no pointer',
      `<div style="${PLACE};background:#eee"><button id="target" style="pointer-events:none">target</button></div>`,
      /ignores clicks: its style has `pointer-events: none`/,
    ],
    ['what a closed part of the page holds', `<details><summary>more</summary>${target}</details>`, /hidden/],
  ])('%s', async (_title, html, message) => {
    await bench.open(`${html}${record('click')}`);
    const failure = page.locator('#target').click({ timeout: 400 });
    await expect(failure).rejects.toThrow(message);
    await expect(failure).rejects.toBeInstanceOf(DriverClickError);
    expect(await bench.seen()).toEqual([]);
  });

  it('what the page around its frame covers', async () => {
    bench.server.page('/inner', document(`${target}${record('click')}`));
    await bench.open(
      `<iframe src="${bench.server.otherOrigin}/inner" style="width:400px;height:200px;border:0"></iframe><div id="cover" style="position:absolute;inset:0;background:#eee"></div>`,
    );
    await expect(page.locator('iframe >> #target').click({ timeout: 400 })).rejects.toThrow(/<div#cover> covers it/);
    expect(await bench.seenIn('/inner')).toEqual([]);
  });

  it('nothing when it is forced', async () => {
    await bench.open(`${target}<div id="cover" style="${PLACE};background:#eee"></div>${record('click')}`);
    await page.locator('#target').click({ force: true });
    expect(await bench.seen()).toEqual(['click cover']);
  });
});

describe('what receives a click for another', () => {
  it.each([
    [
      'an icon in a button',
      `<button id="target" style="${PLACE}"><svg width="90" height="40"><circle r="20" cx="45" cy="20"/></svg></button>`,
    ],
    [
      'a label of a hidden box',
      `<style>#target { display: none }</style><input type="checkbox" id="target"><label for="target">box</label>`,
    ],
    [
      'a link over two lines',
      `<p style="width:60px"><a id="target" href="javascript:void 0">some longer words here</a></p>`,
    ],
    [
      'slotted text',
      `<x-button id="target"><template shadowrootmode="open"><button><slot></slot></button></template>words</x-button>`,
    ],
    [
      'what shows through a part that lets events pass',
      `<button id="target" style="${PLACE}">target</button><div style="${PLACE};pointer-events:none;background:#eee8"></div>`,
    ],
    [
      'what is partly covered',
      `<button id="target" style="${PLACE}">target</button><div style="position:absolute;left:130px;top:50px;width:40px;height:50px;background:#eee"></div>`,
    ],
  ])('%s is reached', async (_title, html) => {
    await bench.open(`${html}${record('click')}`);
    await page.locator('#target').click();
    expect((await bench.seen()).length).toBeGreaterThan(0);
  });
});
