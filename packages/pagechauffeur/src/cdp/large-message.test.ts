import { expect, test } from 'vitest';
import { PAGE_BOUNDS } from '../page-bounds.ts';
import { boundedEvent } from './bounded-event.ts';
import { parseLargeMessage } from './large-message.ts';

const LONG = 'x'.repeat(3_000_000);

function bytesOf(message: object, space?: number): Buffer {
  return Buffer.from(JSON.stringify(message, null, space));
}

test.each<[string, object]>([
  ['long ASCII text', { message: LONG, defaultPrompt: '' }],
  ['quotation marks and backslashes', { message: '"\\'.repeat(200_000), url: `http://a.test/${'\\"'.repeat(40_000)}` }],
  ['characters of two to four bytes', { message: 'é€😀'.repeat(60_000), name: '😀'.repeat(3000) }],
  ['control characters', { message: '\u0000\n\t'.repeat(60_000) }],
  ['URLs with a long password', { url: `https://a:${'b'.repeat(80_000)}@shop.example/a` }],
  ['Base64', { postDataEntries: [{ bytes: LONG }] }],
  ['long keys', { headers: { [LONG]: 'a', b: { ['é'.repeat(3000)]: 1 } } }],
  ['many entries', { args: Array.from({ length: 3000 }, (_, n) => ({ n, t: true, f: -1.5e-7, z: null })) }],
  [
    'many long strings',
    { args: Array.from({ length: 80 }, () => ({ value: 'é'.repeat(60_000), url: 'http://a.test/b' })) },
  ],
  ['many keys', Object.fromEntries(Array.from({ length: 3000 }, (_, n) => [`k${n}`, [n, [], {}, '}]"']]))],
])('cuts %s as `boundedEvent()` cuts the decoded message', (_what, params) => {
  const event = { method: 'Page.javascriptDialogOpening', params, sessionId: 'S' } as const;
  for (const space of [0, 2]) {
    const { message, isCut } = parseLargeMessage(bytesOf(event, space), () => false);
    expect(isCut).toBe(true);
    expect(message).toEqual({ ...event, params: boundedEvent(event.method, structuredClone(params), Infinity) });
  }
});

test('skips a value nested 100,000 levels deep and reads the next key', () => {
  let deep: unknown = 'end';
  for (let level = 0; level < 100_000; level += 1) deep = level % 2 === 0 ? [deep, '[{"'] : { deep };
  const text = `{"method":"Runtime.consoleAPICalled","params":{"deep":${textOf(deep)},"last":1}}`;
  const { message } = parseLargeMessage(Buffer.from(text), () => false);
  expect(message).toMatchObject({ params: { last: 1 } });
  expect(JSON.stringify(message)).not.toContain('end');
});

/** JSON of a value that is nested too deep for `JSON.stringify`. */
function textOf(value: unknown): string {
  const before: string[] = [];
  const after: string[] = [];
  let inner = value;
  while (typeof inner === 'object' && inner !== null) {
    const isList = Array.isArray(inner);
    before.push(isList ? '[' : '{"deep":');
    after.push(isList ? ',"[{\\""]' : '}');
    [inner] = Object.values(inner) as unknown[];
  }
  return before.join('') + JSON.stringify(inner) + after.toReversed().join('');
}

test('keeps replies and paused requests unchanged, except replies that report page content', () => {
  const reply = { id: 7, result: { frameTree: { frame: { name: LONG } } } };
  expect(parseLargeMessage(bytesOf(reply), () => false)).toEqual({ message: reply, isCut: false });
  const paused = { method: 'Fetch.requestPaused', params: { request: { postData: LONG } } };
  expect(parseLargeMessage(bytesOf(paused), () => true)).toEqual({ message: paused, isCut: false });
  const { message } = parseLargeMessage(bytesOf(reply), (id) => id === 7);
  const note = `… (${LONG.length - PAGE_BOUNDS.name} more characters)`;
  expect(message).toEqual({
    id: 7,
    result: { frameTree: { frame: { name: 'x'.repeat(PAGE_BOUNDS.name) + note } } },
  });
});

test.each(['{"method":"Page.loadEventFired","params":{"a":"b', '{"method":"Page.loadEventFired","params"', '', 'x'])(
  'throws a `SyntaxError` for the malformed message %j',
  (text) => {
    expect(() => parseLargeMessage(Buffer.from(text), () => false)).toThrow(SyntaxError);
  },
);
