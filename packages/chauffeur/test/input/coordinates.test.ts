import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Page } from '../../src/index.ts';
import { document, type InputBench, startInputBench } from './input-bench.ts';

/** A target with a spot of 6 pixels in it; clicks are written down with the spot's name, or where else they landed. */
const TARGET = `<div id="target" style="width:120px;height:60px;background:gold;position:relative"><i id="spot" style="position:absolute;left:90px;top:40px;width:6px;height:6px;background:red"></i></div>
  <script>window.seen = []; for (const type of ['click', 'mouseover', 'touchend']) addEventListener(type, (event) => type === 'mouseover' && event.target.id !== 'spot' || seen.push(type + ' ' + (event.target.id || event.target.localName)), true);</script>`;

let bench: InputBench;
let page: Page;

beforeAll(async () => {
  bench = await startInputBench();
  ({ page } = bench);
});
afterAll(() => bench?.close());

const STYLES: [string, string][] = [
  ['nothing', ''],
  ['a translation', 'transform: translate(37px, 21px)'],
  ['a scale', 'transform: scale(1.7); transform-origin: 0 0'],
  ['a shrinking', 'transform: scale(0.6)'],
  ['a rotation', 'transform: rotate(30deg)'],
  ['a quarter turn', 'transform: rotate(90deg)'],
  ['a half turn', 'rotate: 180deg'],
  ['a mirror', 'transform: scaleX(-1)'],
  ['a skew', 'transform: skew(20deg, 10deg)'],
  ['a tilt in space', 'transform: perspective(400px) rotateY(40deg)'],
  ['a tilt and turn in space', 'transform: perspective(500px) rotateX(25deg) rotateZ(20deg)'],
  ['a zoom', 'zoom: 1.5'],
  ['a small zoom', 'zoom: 0.75'],
  ['a border and padding', 'border: 9px solid; padding: 13px 7px'],
  ['a motion path', "offset-path: path('M 20 20 L 200 120'); offset-distance: 40%"],
];

describe.each(STYLES)('under %s', (_title, style) => {
  it('a spot in the page is clicked, hovered and tapped', async () => {
    await bench.open(`<div style="margin:120px;width:max-content;${style}">${TARGET}</div>`);
    await page.locator('#spot').click();
    await page.mouse.move(2, 2);
    await page.locator('#spot').hover();
    await page.locator('#spot').tap();
    const events = await bench.seen();
    expect(events.filter((event) => !event.startsWith('mouseover'))).toEqual([
      'click spot',
      'touchend spot',
      'click spot',
    ]);
    expect(events).toContain('mouseover spot');
  });

  it.each(['origin', 'otherOrigin'] as const)(
    'a spot in a frame of %s is clicked, and a point leads to it',
    async (origin) => {
      bench.server.page('/inner', document(TARGET));
      await bench.open(
        `<iframe src="${bench.server[origin]}/inner" style="margin:120px;width:200px;height:100px;border:0;${style}"></iframe>`,
      );
      await page.locator('iframe >> #spot').click();
      await page.locator('iframe >> #spot').hover();
      await expect.poll(() => bench.seenIn('/inner')).toContain('click spot');
      expect((await bench.seenIn('/inner')).filter((event) => event.startsWith('click'))).toEqual(['click spot']);
      const { x, y } = await middleOfSpot();
      expect(await page.click(x, y, { returnXpath: true })).toBe(
        '/html[1]/body[1]/iframe[1]/html[1]/body[1]/div[1]/i[1]',
      );
      await expect
        .poll(async () => (await bench.seenIn('/inner')).filter((event) => event.startsWith('click')))
        .toEqual(['click spot', 'click spot']);
    },
  );
});

/** Where the spot is shown in the page's viewport, found by trying points, as an eye would. */
async function middleOfSpot(): Promise<{ x: number; y: number }> {
  const spots: { x: number; y: number }[] = [];
  const png = await page.screenshot();
  const found = await page.evaluate(findRed, png.toString('base64'));
  spots.push(found);
  return found;
}

/** The middle of all red pixels of a picture. */
async function findRed(base64: string): Promise<{ x: number; y: number }> {
  const global = globalThis as unknown as {
    createImageBitmap(blob: Blob): Promise<{ width: number; height: number }>;
    OffscreenCanvas: new (
      width: number,
      height: number,
    ) => {
      getContext(kind: '2d'): {
        drawImage(image: unknown, x: number, y: number): void;
        getImageData(x: number, y: number, width: number, height: number): { data: Uint8Array };
      };
    };
    devicePixelRatio: number;
  };
  const blob = await (await fetch(`data:image/png;base64,${base64}`)).blob();
  const image = await global.createImageBitmap(blob);
  const canvas = new global.OffscreenCanvas(image.width, image.height).getContext('2d');
  canvas.drawImage(image, 0, 0);
  const { data } = canvas.getImageData(0, 0, image.width, image.height);
  const sum = { x: 0, y: 0, count: 0 };
  for (let at = 0; at < data.length; at += 4) {
    if ((data[at] ?? 0) < 200 || (data[at + 1] ?? 0) > 60 || (data[at + 2] ?? 0) > 60) continue;
    sum.x += (at / 4) % image.width;
    sum.y += Math.floor(at / 4 / image.width);
    sum.count += 1;
  }
  const scale = sum.count * global.devicePixelRatio;
  return { x: sum.x / scale, y: sum.y / scale };
}
