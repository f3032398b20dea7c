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

describe('readableData() with images', () => {
  it.each([
    ['bytes', PNG],
    ['an ArrayBuffer', new Uint8Array(PNG).buffer],
    ['a view into a larger buffer', new DataView(new Uint8Array([1, ...PNG, 1]).buffer, 1, PNG.length)],
    ['a Buffer serialized as JSON', JSON.parse(JSON.stringify(PNG))],
    ['a list of numbers', [...PNG]],
    ['a data URL', `data:image/png;base64,${PICTURE}`],
    ['a URL object', new URL(`data:image/png;base64,${PICTURE}`)],
  ])('extracts an image from %s, alone and within data', (_form, given) => {
    expect(seenIn(given)).toEqual({ text: '', images: [IMAGE] });
    expect(seenIn({ at: 1, shots: [given, given] })).toEqual({
      text: '{"at":1,"shots":["(image 1)","(image 2)"]}',
      images: [IMAGE, IMAGE],
    });
  });

  it('extracts an image from a class instance and from a circular object', () => {
    expect(seenIn(new Shot())).toEqual({
      text: '{"taken":"1970-01-01T00:00:00.000Z","bytes":"(image 1)"}',
      images: [IMAGE],
    });
    const circle: Record<string, unknown> = { shot: PNG };
    circle['self'] = circle;
    expect(seenIn(circle)).toEqual({ text: expect.stringContaining("shot: '(image 1)'"), images: [IMAGE] });
  });
});

describe('readableData() without images', () => {
  it.each([
    ['a string', 'hello', 'hello'],
    ['undefined', undefined, ''],
    ['bytes that are not an image', new Uint8Array(3), '(3 bytes)'],
    ['bytes within data that are not an image', { file: Buffer.from('abc') }, '{"file":"(3 bytes)"}'],
    ['a list of numbers', [1, 2, 300], '[1,2,300]'],
    ['a short array that begins like a JPEG', [0xff, 0xd8], '[255,216]'],
    ['an array of bigints', [1n, 2n], '["1","2"]'],
    ['a data URL of plain text', 'data:text/plain;base64,aGVsbG8=', '(5 bytes)'],
    ['a sentence with a data URL', 'see data:image/png;base64,aGVsbG8=', 'see data:image/png;base64,aGVsbG8='],
    ['an object with the key `__proto__`', JSON.parse('{"__proto__":{"a":1}}'), '{"__proto__":{"a":1}}'],
    ['an object with toJSON()', { toJSON: () => ({ a: 1 }) }, '{"a":1}'],
  ])('converts to text: %s', (_what, value, text) => {
    expect(readableData(value)).toEqual({ text });
  });

  it.each([
    ['a string in quotes', 'hello', '"hello"'],
    ['undefined', undefined, 'undefined'],
    ['null', null, 'null'],
  ])('converts to JSON with readableJson(): %s', (_what, value, text) => {
    expect(readableJson(value)).toEqual({ text });
  });
});
