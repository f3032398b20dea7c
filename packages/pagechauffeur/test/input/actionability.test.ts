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

describe('scrolling before a click', () => {
  const big = '<div style="height:2000px;width:2000px"></div>';
  const target = '<button id="target">target</button>';
  it.each([
    ['below the viewport', `${big}${target}`],
    ['far to the right', `<div style="width:5000px;text-align:right">${target}</div>`],
    ['in a scroller', `<div style="height:100px;overflow:auto">${big}${target}</div>`],
    [
      'in nested scrollers',
      `${big}<div style="height:100px;width:100px;overflow:auto">${big}<div style="height:60px;width:60px;overflow:auto">${big}${target}</div></div>`,
    ],
    [
      'in a horizontal scroller',
      `<div style="width:200px;overflow-x:auto;white-space:nowrap"><span style="display:inline-block;width:3000px">wide</span>${target}</div>`,
    ],
    ['in an element with `overflow: hidden`', `<div style="height:100px;overflow:hidden">${big}${target}</div>`],
    [
      'under a sticky header',
      `<div style="position:sticky;top:0;height:300px;background:#eee">header</div><div style="height:900px"></div>${target}<div style="height:3000px"></div>`,
    ],
    [
      'under a fixed footer',
      `<div style="position:fixed;bottom:0;height:400px;width:100%;background:#eee">footer</div>${big}${target}<div style="height:600px"></div>`,
    ],
    [
      'in a snapping scroller',
      `<div style="height:200px;overflow:auto;scroll-snap-type:y mandatory">${[1, 2, 3].map((n) => `<section style="height:200px;scroll-snap-align:start">${n}</section>`).join('')}<section style="height:200px;scroll-snap-align:start">${target}</section></div>`,
    ],
    ['in a page with smooth scrolling', `<style>html { scroll-behavior: smooth }</style>${big}${target}`],
    ['in a frame below the viewport', `${big}<iframe src="/inner" style="height:100px"></iframe>`],
    [
      'in a reversed column',
      `<div style="display:flex;flex-direction:column-reverse;height:100px;overflow:auto">${'<p>row</p>'.repeat(20)}${target}</div>`,
    ],
  ])('scrolls to a target %s', async (title, html) => {
    bench.server.page('/inner', document(`${big}${target}${record('click')}`));
    await bench.open(`${html}${record('click')}`);
    const isInFrame = title.includes('frame');
    await page.locator(isInFrame ? 'iframe >> #target' : '#target').click();
    expect(await bench.seenIn(isInFrame ? '/inner' : '/input')).toContain('click target');
  });
});

describe('waiting before a click', () => {
  const later = (script: string): string => `<script>setTimeout(() => { ${script} }, 150);</script>`;
  const target = `<button id="target" style="${PLACE}">target</button>`;
  it.each([
    ['appears', later(`document.body.insertAdjacentHTML('beforeend', \`${target}\`)`)],
    ['is displayed', `${target}<script>target.style.display = 'none'</script>${later("target.style.display = ''")}`],
    [
      'is visible',
      `${target}<script>target.style.visibility = 'hidden'</script>${later("target.style.visibility = ''")}`,
    ],
    ['is enabled', `${target}<script>target.disabled = true</script>${later('target.disabled = false')}`],
    [
      'is enabled, even if events pass through it until then',
      `<style>:disabled { pointer-events: none }</style><div tabindex="-1" style="position:absolute;inset:0">${target}</div><script>target.disabled = true</script>${later('target.disabled = false')}`,
    ],
    ['is enabled by its fieldset', `<fieldset id="set" disabled>${target}</fieldset>${later('set.disabled = false')}`],
    [
      'is no longer aria-disabled',
      `<div id="set" aria-disabled="true">${target}</div>${later("set.removeAttribute('aria-disabled')")}`,
    ],
    ['is no longer inert', `<div id="set" inert>${target}</div>${later('set.inert = false')}`],
    [
      'has a size',
      `${target}<script>target.style.cssText += ';width:0;height:0;padding:0;border:0;overflow:hidden'</script>${later("target.style.width = target.style.height = '50px'")}`,
    ],
    ['is uncovered', `${target}<div id="cover" style="${PLACE};background:#eee"></div>${later('cover.remove()')}`],
    [
      'stops moving',
      `${target}<style>@keyframes go { from { left: 600px } }</style><script>target.style.animation = 'go 300ms linear'</script>`,
    ],
    [
      'ends its CSS transition',
      `${target}<script>requestAnimationFrame(() => { target.style.transition = 'top 200ms'; requestAnimationFrame(() => { target.style.top = '300px'; }); });</script>`,
    ],
    [
      'enters the viewport',
      `${target}<script>target.style.left = '-500px'</script>${later("target.style.left = '100px'")}`,
    ],
  ])('waits until the target %s', async (_title, html) => {
    await bench.open(`${html}${record('click')}`);
    await page.locator('#target').click();
    expect(await clicked()).toBe(true);
  });
});

describe('click failures', () => {
  const target = `<button id="target" style="${PLACE}">target</button>`;
  it.each([
    [
      'a covered button, and names the cover by id and class',
      `${target}<div id="banner" class="consent" style="${PLACE};background:#eee"></div>`,
      /<div#banner\.consent> covers it/,
    ],
    [
      'a covered button, and names a cover without id and class by its text',
      `${target}<div style="${PLACE};background:#eee">We use cookies</div>`,
      /<div> "We use cookies" covers it/,
    ],
    [
      'a button covered by a shadow root',
      `${target}<x-cover id="cover" style="${PLACE};background:#eee"><template shadowrootmode="open"><p id="inside" style="height:100%;margin:0">x</p></template></x-cover>`,
      /covers it/,
    ],
    [
      'a button behind a modal dialog',
      `${target}<dialog id="dialog">first me</dialog><script>dialog.showModal()</script>`,
      /covers it|inert/,
    ],
    ['a disabled button', `<button id="target" disabled>target</button>`, /disabled/],
    [
      'a disabled button whose events pass to a focusable parent',
      `<div tabindex="-1" style="${PLACE}"><button id="target" disabled style="pointer-events:none">target</button></div>`,
      /disabled/,
    ],
    ['a button in a disabled fieldset', `<fieldset disabled>${target}</fieldset>`, /disabled/],
    [
      'an aria-disabled element',
      `<div id="target" role="button" aria-disabled="true" style="${PLACE}">target</div>`,
      /disabled/,
    ],
    ['a button with `display: none`', `<button id="target" style="display:none">target</button>`, /hidden/],
    ['a button in a hidden ancestor', `<div hidden>${target}</div>`, /hidden/],
    ['a button with `visibility: hidden`', `<button id="target" style="visibility:hidden">target</button>`, /hidden/],
    ['an element without size', `<div id="target" style="width:0;height:0;overflow:hidden"></div>`, /no size/],
    ['an inert button', `<div inert>${target}</div>`, /inert/],
    ['a button that a style makes inert', `<div style="interactivity: inert">${target}</div>`, /inert part/],
    [
      'a button that scrolling cannot reach',
      `<button id="target" style="position:absolute;left:-500px;top:0">target</button>`,
      /outside the viewport/,
    ],
    [
      'a button with `pointer-events: none`',
      `<div style="${PLACE};background:#eee"><button id="target" style="pointer-events:none">target</button></div>`,
      /ignores clicks: its style has `pointer-events: none`/,
    ],
    ['a button in closed `<details>`', `<details><summary>more</summary>${target}</details>`, /hidden/],
  ])('rejects a click on %s', async (_title, html, message) => {
    await bench.open(`${html}${record('click')}`);
    const failure = page.locator('#target').click({ timeout: 400 });
    await expect(failure).rejects.toThrow(message);
    await expect(failure).rejects.toBeInstanceOf(DriverClickError);
    expect(await bench.seen()).toEqual([]);
  });

  it('rejects a click in a frame that the parent page covers, and names the cover', async () => {
    bench.server.page('/inner', document(`${target}${record('click')}`));
    await bench.open(
      `<iframe src="${bench.server.otherOrigin}/inner" style="width:400px;height:200px;border:0"></iframe><div id="cover" style="position:absolute;inset:0;background:#eee"></div>`,
    );
    await expect(page.locator('iframe >> #target').click({ timeout: 400 })).rejects.toThrow(/<div#cover> covers it/);
    expect(await bench.seenIn('/inner')).toEqual([]);
  });

  it('clicks the cover when `force` is set', async () => {
    await bench.open(`${target}<div id="cover" style="${PLACE};background:#eee"></div>${record('click')}`);
    await page.locator('#target').click({ force: true });
    expect(await bench.seen()).toEqual(['click cover']);
  });
});

describe('hit target of a click', () => {
  it.each([
    [
      'a button through its icon',
      `<button id="target" style="${PLACE}"><svg width="90" height="40"><circle r="20" cx="45" cy="20"/></svg></button>`,
      ['click circle'],
    ],
    [
      'the label of a hidden checkbox',
      `<style>#target { display: none }</style><input type="checkbox" id="target"><label for="target">box</label>`,
      ['click label', 'click target'],
    ],
    [
      'a link that wraps over two lines',
      `<p style="width:60px"><a id="target" href="javascript:void 0">some longer words here</a></p>`,
      ['click target'],
    ],
    [
      'a custom element through its slotted text',
      `<x-button id="target"><template shadowrootmode="open"><button><slot></slot></button></template>words</x-button>`,
      ['click target'],
    ],
    [
      'a button under an overlay with `pointer-events: none`',
      `<button id="target" style="${PLACE}">target</button><div style="${PLACE};pointer-events:none;background:#eee8"></div>`,
      ['click target'],
    ],
    [
      'a partly covered button',
      `<button id="target" style="${PLACE}">target</button><div style="position:absolute;left:130px;top:50px;width:40px;height:50px;background:#eee"></div>`,
      ['click target'],
    ],
  ])('clicks %s', async (_title, html, events) => {
    await bench.open(`${html}${record('click')}`);
    await page.locator('#target').click();
    expect(await bench.seen()).toEqual(events);
  });

  const nested = '<ul role="group"><li role="treeitem" tabindex="-1" style="height:900px">Audi</li></ul>';
  it.each([
    ['its text', `<li role="treeitem" id="target">Cars${nested}</li>`, 'click target'],
    ['its text beside a button', `<li id="target"><button>Fold</button><b>Cars</b>${nested}</li>`, 'click b'],
    ['its link', `<li id="target"><button>-</button><a href="javascript:void 0">Cars</a>${nested}</li>`, 'click a'],
    ['its icon', `<li id="target"><img width="9" height="9">${nested}</li>`, 'click img'],
  ])('clicks an item with nested items on %s', async (_title, html, event) => {
    await bench.open(`<ul role="tree">${html}</ul>${record('click')}`);
    await page.locator('#target').click();
    expect(await bench.seen()).toEqual([event]);
  });

  it('scrolls an item with nested items until its own text is in view', async () => {
    await bench.open(`<ul role="tree"><li role="treeitem" id="target">Cars${nested}</li></ul>${record('click')}`);
    await page.evaluate('scrollTo(0, 300)');
    await page.locator('#target').click();
    expect(await bench.seen()).toEqual(['click target']);
  });
});
