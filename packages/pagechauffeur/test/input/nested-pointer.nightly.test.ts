import { beforeAll, describe, expect, it } from 'vitest';
import type { Page } from '../../src/index.ts';
import { document, useInputBench } from './input-bench.ts';

/** Far down and to the right, so that its document scrolls both ways. */
const FAR = 'position:absolute;left:900px;top:900px';
const MARKS = `window.seen = []; for (const type of ['mouseover', 'touchend', 'drop']) addEventListener(type, (event) => { if (event.target.id) seen.push(type + ' ' + event.target.id); }, true);`;
const THING = `<div id="thing" draggable="true" style="${FAR};width:12px;height:12px;background:red"></div>
  <script>${MARKS} addEventListener('dragstart', (event) => event.dataTransfer.setData('text/plain', 'thing'));</script>`;
const ZONE = `<div style="${FAR};width:60px;height:60px"><i id="zone" style="position:absolute;left:24px;top:24px;width:12px;height:12px;background:blue"></i></div>
  <script>${MARKS} addEventListener('dragover', (event) => { if (event.target.id === 'zone') event.preventDefault(); }); addEventListener('drop', (event) => event.preventDefault());</script>`;

const bench = useInputBench();
let page: Page;

beforeAll(() => {
  ({ page } = bench);
});

/** A frame in a frame, each turned, zoomed and scrolled, in a part of the page that scrolls too. */
function nested(origins: readonly [string, string], leaf: string, style: string): string {
  const [outer, inner] = origins;
  bench.server.page(
    `/middle-${leaf}`,
    document(
      `<iframe src="${inner}/${leaf}" style="${FAR};width:300px;height:200px;transform:rotate(12deg)"></iframe>`,
    ),
  );
  return `<div style="position:absolute;${style};width:560px;height:330px;overflow:auto"><div style="height:700px"></div>
    <iframe src="${outer}/middle-${leaf}" style="width:440px;height:280px;zoom:0.9;transform:skewX(6deg) scale(0.9)"></iframe></div>`;
}

describe.each([1, 2])('with a device scale factor of %s', (deviceScaleFactor) => {
  it.each([
    ['of the same process', 'origin', 'origin'],
    ['of other processes', 'otherOrigin', 'origin'],
  ] as const)(
    'hovers, taps, drags and drops on a small spot in nested, transformed frames %s',
    async (_title, outer, inner) => {
      const { server } = bench;
      await page.setViewportSize(1280, 720, { deviceScaleFactor });
      server.page('/thing', document(THING));
      server.page('/zone', document(ZONE));
      const origins = [server[outer], server[inner]] as const;
      await bench.open(
        `${nested(origins, 'thing', 'left:20px;top:10px')}${nested(origins, 'zone', 'left:640px;top:340px')}`,
      );
      const thing = page.locator('iframe >> nth=0 >> iframe >> #thing');
      const zone = page.locator('iframe >> nth=1 >> iframe >> #zone');
      for (const one of [thing, zone]) {
        await one.hover();
        await one.tap();
      }
      await thing.dragTo(zone);
      await expect.poll(() => bench.seenIn('/zone')).toContain('drop zone');
      expect(await bench.seenIn('/thing')).toEqual(expect.arrayContaining(['mouseover thing', 'touchend thing']));
      expect(await bench.seenIn('/zone')).toEqual(expect.arrayContaining(['mouseover zone', 'touchend zone']));
    },
  );
});
