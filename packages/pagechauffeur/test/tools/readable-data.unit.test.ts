import { describe, expect, it } from 'vitest';
import { readableData, readableJson } from '../../src/tools/readable-data.ts';
import { PICTURE } from './mcp-server.ts';

const PNG = Buffer.from(PICTURE, 'base64');
const IMAGE = { mediaType: 'image/png', data: new Uint8Array(PNG) };

class Shot {
  readonly taken = new Date(0);
  readonly bytes = PNG;
}

function seenIn(value: unknown): object {
  const { text, images = [] } = readableData(value);
  return { text, images: images.map(({ mediaType, data }) => ({ mediaType, data: new Uint8Array(data) })) };
}

describe('an image is attached as an image', () => {
  it.each([
    ['bytes', PNG],
    ['an ArrayBuffer', new Uint8Array(PNG).buffer],
    ['a view on other bytes', new DataView(new Uint8Array([1, ...PNG, 1]).buffer, 1, PNG.length)],
    ['what JSON makes of a Buffer', JSON.parse(JSON.stringify(PNG))],
    ['a list of numbers', [...PNG]],
    ['a data URL', `data:image/png;base64,${PICTURE}`],
    ['a URL object', new URL(`data:image/png;base64,${PICTURE}`)],
  ])('from %s, alone and within data', (_form, given) => {
    expect(seenIn(given)).toEqual({ text: '', images: [IMAGE] });
    expect(seenIn({ at: 1, shots: [given, given] })).toEqual({
      text: '{"at":1,"shots":["(image 1)","(image 2)"]}',
      images: [IMAGE, IMAGE],
    });
  });

  it('from a class instance, and from an object with a cycle', () => {
    expect(seenIn(new Shot())).toEqual({
      text: '{"taken":"1970-01-01T00:00:00.000Z","bytes":"(image 1)"}',
      images: [IMAGE],
    });
    const circle: Record<string, unknown> = { shot: PNG };
    circle['self'] = circle;
    expect(seenIn(circle)).toEqual({ text: expect.stringContaining("shot: '(image 1)'"), images: [IMAGE] });
  });
});

describe('data stays data', () => {
  it.each([
    ['a text', 'hello', 'hello'],
    ['nothing', undefined, ''],
    ['other bytes', new Uint8Array(3), '(3 bytes)'],
    ['other bytes within data', { file: Buffer.from('abc') }, '{"file":"(3 bytes)"}'],
    ['a list of numbers', [1, 2, 300], '[1,2,300]'],
    ['a short list that begins as a JPEG does', [0xff, 0xd8], '[255,216]'],
    ['big numbers, within a list of them too', [1n, 2n], '["1","2"]'],
    ['a data URL of a text', 'data:text/plain;base64,aGVsbG8=', '(5 bytes)'],
    ['words about a data URL', 'see data:image/png;base64,aGVsbG8=', 'see data:image/png;base64,aGVsbG8='],
    ['a name that objects have', JSON.parse('{"__proto__":{"a":1}}'), '{"__proto__":{"a":1}}'],
    ['something with a form of its own', { toJSON: () => ({ a: 1 }) }, '{"a":1}'],
  ])('%s', (_what, value, text) => {
    expect(readableData(value)).toEqual({ text });
  });

  it.each([
    ['a text stands in quotes', 'hello', '"hello"'],
    ['nothing is said', undefined, 'undefined'],
    ['null too', null, 'null'],
  ])('as JSON %s', (_what, value, text) => {
    expect(readableJson(value)).toEqual({ text });
  });
});
