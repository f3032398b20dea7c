import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inflateSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DriverInvalidArgumentError, type Page } from '../../src/index.ts';
import { startDriver, type TestDriver } from '../support/driver-for-test.ts';
import { serve, type TestServer } from '../support/serve.ts';

let server: TestServer;
let test: TestDriver;
let page: Page;

beforeAll(async () => {
  server = await serve({
    '/frame':
      '<!doctype html><style>body { margin: 0 }</style><div id="green" style="width: 30px; height: 20px; background: rgb(0, 128, 0)"></div>',
    '/': `<!doctype html><style>body { margin: 0; height: 2000px; width: 1000px } div, iframe { position: absolute }</style>
      <div id="red" style="left: 20px; top: 40px; width: 50px; height: 60px; background: rgb(255, 0, 0)"></div>
      <div style="left: 0; top: 1900px; width: 100px; height: 50px; overflow: scroll"><div id="blue" style="top: 500px; width: 10px; height: 10px; background: rgb(0, 0, 255)"></div></div>
      <iframe src="/frame" style="left: 300px; top: 200px; border: 7px solid"></iframe><p id="none" hidden>hidden</p>`,
  });
  test = await startDriver({ localBrowserLaunchOptions: { viewport: { width: 600, height: 400 } } });
  ({ page } = test);
  await page.goto(server.origin, { waitUntil: 'load' });
});

afterAll(async () => {
  await test?.driver.close();
  await server?.close();
});

interface Picture {
  readonly width: number;
  readonly height: number;
  /** Red, green, blue and, where the file has it, alpha of the first pixel. */
  readonly firstPixel: readonly number[];
}

/** Reads a PNG's size and first pixel; the first line's filter leaves its first pixel as it is. */
function readPng(file: Buffer): Picture {
  expect(file.subarray(1, 4).toString()).toBe('PNG');
  const chunks: Buffer[] = [];
  for (let at = 8; at < file.length; at += 12 + file.readUInt32BE(at)) {
    if (file.toString('latin1', at + 4, at + 8) === 'IDAT')
      chunks.push(file.subarray(at + 8, at + 8 + file.readUInt32BE(at)));
  }
  const channels = file[25] === 6 ? 4 : 3;
  return {
    width: file.readUInt32BE(16),
    height: file.readUInt32BE(20),
    firstPixel: [...inflateSync(Buffer.concat(chunks)).subarray(1, 1 + channels)],
  };
}

describe('page.screenshot()', () => {
  // [spec: page.screenshot]
  it('returns a PNG of the viewport', async () => {
    expect(readPng(await page.screenshot())).toMatchObject({ width: 600, height: 400, firstPixel: [255, 255, 255] });
  });

  it('returns a JPEG that is smaller at lower quality', async () => {
    const [good, poor] = [
      await page.screenshot({ type: 'jpeg', quality: 100 }),
      await page.screenshot({ type: 'jpeg', quality: 1 }),
    ];
    expect(good.subarray(0, 3).toString('hex')).toBe('ffd8ff');
    expect(poor.length).toBeLessThan(good.length);
  });

  it('captures the full page or a clip of the viewport', async () => {
    expect(readPng(await page.screenshot({ fullPage: true }))).toMatchObject({ width: 1000, height: 2000 });
    expect(readPng(await page.screenshot({ clip: { x: 20, y: 40, width: 10, height: 15 } }))).toEqual({
      width: 10,
      height: 15,
      firstPixel: [255, 0, 0],
    });
    await page.evaluate('scrollTo(0, 30)');
    expect(readPng(await page.screenshot({ clip: { x: 20, y: 10, width: 10, height: 15 } })).firstPixel).toEqual([
      255, 0, 0,
    ]);
    await page.evaluate('scrollTo(0, 0)');
  });

  it('omits the background and restores it afterwards', async () => {
    expect(readPng(await page.screenshot({ omitBackground: true })).firstPixel).toEqual([0, 0, 0, 0]);
    expect(readPng(await page.screenshot()).firstPixel).toEqual([255, 255, 255]);
  });

  it('writes the file at `path` and rejects a path it cannot write', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'chauffeur-pictures-'));
    const picture = await page.screenshot({ path: join(folder, 'page.png') });
    expect(await readFile(join(folder, 'page.png'))).toEqual(picture);
    const deeper = join(folder, 'some/folder/page.jpg');
    const other = await page.screenshot({ path: deeper });
    expect(await readFile(deeper)).toEqual(other);
    expect(other.subarray(0, 2).toString('hex'), 'a JPEG by its name').toBe('ffd8');
    const failure = page.screenshot({ path: join(folder, 'page.png/below.png') });
    await expect(failure).rejects.toThrow(DriverInvalidArgumentError);
    await expect(failure).rejects.toThrow(/Cannot write to the path .*page\.png\/below\.png: E/);
    await rm(folder, { recursive: true });
  });

  it.each([
    [{ type: 'gif' }, /type must be one of png, jpeg. Received the string "gif"/],
    [{ quality: 50 }, /quality applies only to JPEG images/],
    [{ type: 'jpeg', quality: 101 }, /quality must be a whole number from 0 to 100. Received the number 101/],
    [{ type: 'jpeg', quality: 'best' }, /quality must be a whole number/],
    [{ fullPage: true, clip: { x: 0, y: 0, width: 1, height: 1 } }, /either fullPage or clip/],
    [{ fullPage: 'yes' }, /fullPage must be a boolean. Received the string "yes"/],
    [{ omitBackground: 1 }, /omitBackground must be a boolean/],
    [{ clip: { x: 0, y: 0, width: 0, height: 1 } }, /clip\.width must be greater than 0/],
    [{ clip: { x: 0, y: 0, width: 1 } }, /clip\.height must be a number. Received undefined/],
    [{ clip: 'all' }, /clip must be an object/],
    [{ path: '' }, /path must be a non-empty string/],
  ])('rejects %j', async (options, sentence) => {
    await expect(page.screenshot(options as never)).rejects.toThrow(DriverInvalidArgumentError);
    await expect(page.screenshot(options as never)).rejects.toThrow(sentence);
  });
});

describe('locator.screenshot()', () => {
  it('captures an element in the page, in a scroll container and in a frame', async () => {
    expect(readPng(await page.locator('#red').screenshot())).toEqual({
      width: 50,
      height: 60,
      firstPixel: [255, 0, 0],
    });
    expect(readPng(await page.locator('#blue').screenshot())).toEqual({
      width: 10,
      height: 10,
      firstPixel: [0, 0, 255],
    });
    expect(readPng(await page.locator('iframe >> #green').screenshot())).toEqual({
      width: 30,
      height: 20,
      firstPixel: [0, 128, 0],
    });
  });

  it('rejects for a hidden and a missing element', async () => {
    await expect(page.locator('#none').screenshot({ timeout: 200 })).rejects.toThrow(/<p#none>|#none/);
    await expect(page.locator('#absent').screenshot({ timeout: 200 })).rejects.toMatchObject({
      code: 'ELEMENT_NOT_FOUND',
    });
  });
});
