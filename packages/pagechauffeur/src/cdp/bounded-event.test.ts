import { expect, test } from 'vitest';
import { PAGE_BOUNDS } from '../page-bounds.ts';
import { boundedAddress, boundedEvent, boundedResult } from './bounded-event.ts';

const LONG = 'x'.repeat(3_000_000);
/** Maximum length of the note about cut characters. */
const NOTE = 60;

/** Length of the longest string in a value, at any depth. */
function longestText(value: unknown): number {
  if (typeof value === 'string') return value.length;
  if (typeof value !== 'object' || value === null) return 0;
  return Object.entries(value).reduce((most, [key, one]) => Math.max(most, key.length, longestText(one)), 0);
}

function bounded(method: Parameters<typeof boundedEvent>[0], params: object): unknown {
  return boundedEvent(method, params, JSON.stringify(params).length);
}

test.each([
  [
    'Network.requestWillBeSent',
    { documentURL: LONG, request: { url: `data:text/plain,${LONG}`, headers: { a: LONG, [LONG]: 'a' } } },
  ],
  ['Network.responseReceivedExtraInfo', { headers: { cookie: LONG }, headersText: LONG }],
  ['Page.frameNavigated', { frame: { url: `http://a.test/${LONG}`, urlFragment: `#${LONG}`, name: LONG } }],
  ['Page.javascriptDialogOpening', { message: LONG, defaultPrompt: LONG, url: LONG }],
  ['Browser.downloadWillBegin', { url: LONG, suggestedFilename: LONG }],
  [
    'Runtime.consoleAPICalled',
    { args: [{ value: LONG, description: LONG, preview: { properties: [{ name: LONG }] } }] },
  ],
  ['Runtime.exceptionThrown', { exceptionDetails: { text: LONG, exception: { description: LONG } } }],
  ['WebMCP.toolsAdded', { tools: [{ name: LONG, description: LONG, inputSchema: { properties: { [LONG]: {} } } }] }],
  ['Target.targetInfoChanged', { targetInfo: { title: LONG, url: LONG } }],
] as const)('cuts every text in `%s` to `PAGE_BOUNDS.text` characters and a note', (method, params) => {
  expect(longestText(bounded(method, params))).toBeLessThanOrEqual(PAGE_BOUNDS.text + NOTE);
});

test('applies separate limits to titles, names and download names', () => {
  const { title, name, suggestedFilename } = bounded('Page.frameNavigated', {
    title: LONG,
    name: LONG,
    suggestedFilename: LONG,
  }) as Record<string, string>;
  expect(title?.length).toBeLessThanOrEqual(PAGE_BOUNDS.title + NOTE);
  expect(name?.length).toBeLessThanOrEqual(PAGE_BOUNDS.name + NOTE);
  expect(suggestedFilename?.length).toBeLessThanOrEqual(PAGE_BOUNDS.fileName + NOTE);
});

test('appends the number of cut characters', () => {
  const { message } = bounded('Page.javascriptDialogOpening', { message: LONG }) as { message: string };
  expect(message.endsWith(`… (${3_000_000 - PAGE_BOUNDS.text} more characters)`)).toBe(true);
});

test('limits the number of entries and levels of lists and objects', () => {
  let deep: unknown = 'end';
  for (let level = 0; level < 2000; level += 1) deep = [deep];
  const args = Array.from({ length: 5000 }, () => 1);
  const headers = Object.fromEntries(args.map((_, index) => [`h${index}`, 'v']));
  const event = bounded('Runtime.consoleAPICalled', { args, headers, deep }) as { args: []; headers: object; deep: [] };
  expect(event.args).toHaveLength(PAGE_BOUNDS.entries);
  expect(Object.keys(event.headers)).toHaveLength(PAGE_BOUNDS.entries);
  expect(event.deep.flat(Infinity)).not.toContain('end');
});

test('limits the total length of all strings in an event', () => {
  const args = Array.from({ length: 500 }, () => ({ value: 'x'.repeat(60_000) }));
  const event = bounded('Runtime.consoleAPICalled', { args }) as { args: { value: string }[] };
  expect(JSON.stringify(event).length).toBeLessThan(PAGE_BOUNDS.eventText + 500 * NOTE);
  expect(event.args[0]?.value).toHaveLength(60_000);
  expect(event.args.at(-1)?.value).toBe('… (60000 more characters)');
});

test('keeps the request in `Fetch.requestPaused` unchanged', () => {
  const params = { request: { url: `http://a.test/${LONG}`, postData: LONG } };
  expect(bounded('Fetch.requestPaused', params)).toEqual(params);
});

test('keeps a screenshot unchanged and cuts the strings of a frame tree', () => {
  expect(boundedResult('Page.captureScreenshot', { data: LONG }).data).toHaveLength(LONG.length);
  const { frameTree } = boundedResult('Page.getFrameTree', { frameTree: { frame: { url: LONG, name: LONG } } });
  expect(longestText(frameTree)).toBeLessThanOrEqual(PAGE_BOUNDS.url + NOTE);
});

test('keeps the scheme and host of a URL, even after a long user name or password', () => {
  expect(new URL(boundedAddress(`https://shop.example/${LONG}`)).host).toBe('shop.example');
  expect(new URL(boundedAddress(`https://bank.example${LONG}@shop.example:8443/a`)).host).toBe('shop.example:8443');
  expect(new URL(boundedAddress(`https://a:${LONG}@shop.example`)).host).toBe('shop.example');
  expect(boundedAddress(`data:text/html,${LONG}`).slice(0, 20)).toBe('data:text/html,xxxxx');
  expect(boundedAddress('https://shop.example/a')).toBe('https://shop.example/a');
});

test('cuts equal URLs equally and different URLs differently', () => {
  const [one, other] = [`data:a${LONG}`, `data:b${LONG}`];
  expect(boundedAddress(one)).toBe(boundedAddress(one));
  expect(boundedAddress(one)).not.toBe(boundedAddress(other));
});
