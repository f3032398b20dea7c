import { beforeAll, describe, expect, it } from 'vitest';
import type { Page } from '../../src/index.ts';
import { document, useInputBench } from './input-bench.ts';
import { rows } from '../support/nightly-rows.ts';

interface Point {
  readonly x: number;
  readonly y: number;
}

/** A target with a spot of 6 pixels in it; clicks are written down with the spot's name, or where else they landed. */
const TARGET = `<div id="target" style="width:120px;height:60px;background:gold;position:relative"><i id="spot" style="position:absolute;left:90px;top:40px;width:6px;height:6px;background:red"></i></div>
  <script>window.seen = []; for (const type of ['click', 'mouseover', 'touchend']) addEventListener(type, (event) => type === 'mouseover' ? event.target.id === 'spot' && spot.classList.add('over') : seen.push(type + ' ' + (event.target.id || event.target.localName)), true);</script>`;

const bench = useInputBench();
let page: Page;

beforeAll(() => {
  ({ page } = bench);
});

const STYLES: readonly [string, string][] = rows(
  [
    ['no transform', ''],
    ['a scale', 'transform: scale(1.7); transform-origin: 0 0'],
    ['a rotation', 'transform: rotate(30deg)'],
    ['a mirroring scale', 'transform: scaleX(-1)'],
    ['a 3D tilt and rotation', 'transform: perspective(500px) rotateX(25deg) rotateZ(20deg)'],
    ['a zoom', 'zoom: 1.5'],
    ['a border and padding', 'border: 9px solid; padding: 13px 7px'],
    ['a motion path', "offset-path: path('M 20 20 L 200 120'); offset-distance: 40%"],
  ],
  [
    ['a translation', 'transform: translate(37px, 21px)'],
    ['a scale below 1', 'transform: scale(0.6)'],
    ['a quarter turn', 'transform: rotate(90deg)'],
    ['a half turn', 'rotate: 180deg'],
    ['a skew', 'transform: skew(20deg, 10deg)'],
    ['a 3D tilt', 'transform: perspective(400px) rotateY(40deg)'],
    ['a small zoom', 'zoom: 0.75'],
  ],
);

describe.each(STYLES)('with %s', (_title, style) => {
  it('clicks, hovers and taps a 6 px spot in the page', async () => {
    await bench.open(`<div style="margin:120px;width:max-content;${style}">${TARGET}</div>`);
    await page.locator('#spot').click();
    await page.mouse.move(2, 2);
    await page.locator('#spot').hover();
    await page.locator('#spot').tap();
    expect(await page.evaluate('spot.className')).toBe('over');
    expect(await bench.seen()).toEqual(['click spot', 'touchend spot', 'click spot']);
  });

  it('hits a spot in frames of both processes, and returns its box and XPath', async () => {
    bench.server.page('/inner', document(TARGET));
    const frames = FRAMES.map(
      ({ origin, left }) =>
        `<div style="position:absolute;left:${left}px;top:150px"><iframe src="${bench.server[origin]}/inner" style="width:200px;height:100px;border:0;${style}"></iframe></div>`,
    );
    await bench.open(frames.join(''));
    const seen = await middlesOfSpots(2);
    for (const [index, { origin }] of FRAMES.entries()) {
      const spot = page.locator(`iframe >> nth=${index} >> #spot`);
      const { x = 0, y = 0, width = 0, height = 0 } = (await spot.boundingBox()) ?? {};
      const middle = seen[index] ?? { x: 0, y: 0 };
      // Of pixels the eye sees the left and upper edges.
      expect(Math.abs(x + width / 2 - 0.5 - middle.x), origin).toBeLessThan(1);
      expect(Math.abs(y + height / 2 - 0.5 - middle.y), origin).toBeLessThan(1);
      await spot.click();
      await spot.hover();
      await expect.poll(() => clicksIn(origin)).toEqual(['click spot']);
      const path = await page.click(middle.x, middle.y, { returnXpath: true });
      expect(path).toBe(`/html[1]/body[1]/div[${index + 1}]/iframe[1]/html[1]/body[1]/div[1]/i[1]`);
      await expect.poll(() => clicksIn(origin)).toEqual(['click spot', 'click spot']);
    }
  });
});

/** A frame of the page's own process and one of another, side by side. */
const FRAMES = [
  { origin: 'origin', left: 200 },
  { origin: 'otherOrigin', left: 740 },
] as const;
/** Left of it is one of the frames, right of it the other. */
const BETWEEN = 640;

async function clicksIn(origin: (typeof FRAMES)[number]['origin']): Promise<string[]> {
  const events = await bench.seenIn(`${bench.server[origin]}/inner`);
  return events.filter((event) => event.startsWith('click'));
}

/** Where the spots are shown in the page's viewport, the left and the right one, as an eye would find them once they are there. */
async function middlesOfSpots(count: number): Promise<readonly Point[]> {
  let seen: readonly Point[] = [];
  const look = async (): Promise<number> => {
    const png = await page.screenshot();
    seen = await page.evaluate(findRed, { base64: png.toString('base64'), between: BETWEEN });
    return seen.filter(({ x }) => !Number.isNaN(x)).length;
  };
  await expect.poll(look).toBe(count);
  return seen;
}

/** The middle of all red pixels of a picture, left and right of a line. */
async function findRed({ base64, between }: { base64: string; between: number }): Promise<readonly Point[]> {
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
  const sums = [0, 1].map(() => ({ x: 0, y: 0, count: 0 }));
  for (let at = 0; at < data.length; at += 4) {
    if ((data[at] ?? 0) < 200 || (data[at + 1] ?? 0) > 60 || (data[at + 2] ?? 0) > 60) continue;
    const x = (at / 4) % image.width;
    const sum = sums[x < between ? 0 : 1];
    if (!sum) continue;
    sum.x += x;
    sum.y += Math.floor(at / 4 / image.width);
    sum.count += 1;
  }
  return sums.map(({ x, y, count }) => ({
    x: x / (count * global.devicePixelRatio),
    y: y / (count * global.devicePixelRatio),
  }));
}

describe.each([1, 2])('with a device scale factor of %s', (deviceScaleFactor) => {
  it('takes points as CSS pixels in the page and in frames of both processes', async () => {
    bench.server.page('/inner', document(TARGET));
    const frame = (origin: string, left: number): string =>
      `<iframe src="${origin}/inner" style="position:absolute;left:${left}px;top:100px;width:200px;height:100px;border:3px solid"></iframe>`;
    await page.sendCDP('Emulation.setDeviceMetricsOverride', {
      width: 900,
      height: 600,
      deviceScaleFactor,
      mobile: false,
    });
    await bench.open(`${TARGET}${frame(bench.server.origin, 0)}${frame(bench.server.otherOrigin, 300)}`);
    const paths = await Promise.all(
      [
        [93, 43],
        [96, 146],
        [396, 146],
      ].map(([x = 0, y = 0]) => page.click(x, y, { returnXpath: true })),
    );
    expect(paths).toEqual([
      '/html[1]/body[1]/div[1]/i[1]',
      '/html[1]/body[1]/iframe[1]/html[1]/body[1]/div[1]/i[1]',
      '/html[1]/body[1]/iframe[2]/html[1]/body[1]/div[1]/i[1]',
    ]);
    expect(await bench.seen()).toEqual(['click spot']);
    for (const path of paths) await page.locator(`xpath=${path}`).click();
    expect(await bench.seen()).toEqual(['click spot']);
    await page.sendCDP('Emulation.setDeviceMetricsOverride', {
      width: 1280,
      height: 720,
      deviceScaleFactor: 0,
      mobile: false,
    });
  });
});

it.each([
  ['equal', ['origin', 'origin', 'origin', 'origin', 'origin']],
  ['alternating', ['otherOrigin', 'origin', 'otherOrigin', 'origin', 'otherOrigin']],
  ['mixed', ['origin', 'otherOrigin', 'otherOrigin', 'origin', 'origin']],
] as const)(
  'hits a spot in five nested, transformed frames of %s origins, also by its XPath',
  async (_title, kinds) => {
    const styles = [
      'transform:rotate(8deg)',
      'zoom:0.95',
      'transform:scale(0.9)',
      'transform:skewX(5deg)',
      'padding:5px',
    ];
    const html = (level: number): string => {
      const kind = kinds[level];
      if (kind === undefined) return `<div style="height:30px"></div>${TARGET}`;
      return `<div><template shadowrootmode="closed"><iframe src="${bench.server[kind]}/level${level + 1}" style="width:${600 - level * 60}px;height:${400 - level * 50}px;margin:10px;border:1px solid;${styles[level]}"></iframe></template></div>`;
    };
    for (let level = 1; level <= kinds.length; level += 1) bench.server.page(`/level${level}`, document(html(level)));
    await bench.open(html(0));
    const spot = page.locator(`${'iframe >> '.repeat(kinds.length)}#spot`);
    await spot.click();
    await expect.poll(() => bench.seenIn('/level5')).toEqual(['click spot']);
    const [{ x, y } = { x: 0, y: 0 }] = await middlesOfSpots(1);
    const path = await page.click(x, y, { returnXpath: true });
    expect(path.endsWith('/html[1]/body[1]/div[2]/i[1]')).toBe(true);
    await page.locator(`xpath=${path}`).click();
    await expect.poll(() => bench.seenIn('/level5')).toEqual(['click spot', 'click spot', 'click spot']);
  },
);
