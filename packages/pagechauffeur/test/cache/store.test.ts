import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { CacheKey, CountedParameters } from '../../src/cache/cache-key.ts';
import { FileStore } from '../../src/cache/file-store.ts';
import { VerbCache } from '../../src/cache/verb-cache.ts';
import { Log } from '../../src/util/log.ts';
import { runProgram } from '../support/run-program.ts';

const KEY: CacheKey = { verb: 'act', instruction: 'buy the mug', url: 'https://shop.example/mugs' };

let root: string;
let folder: string;
let lines: string[];

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'chauffeur-cache-'));
  folder = join(root, 'cache');
  lines = [];
});

afterEach(() => rm(root, { recursive: true, force: true }));

function open({ at = folder, query = 'all' }: { at?: string; query?: CountedParameters } = {}): VerbCache {
  const log = new Log({
    verbose: 2,
    logger: ({ level, message }) => void lines.push(`${level} ${message}`),
    disableLoggerBackend: false,
  });
  const mask = (text: string): string => text.replaceAll('hunter2', '%password%');
  return new VerbCache({ store: new FileStore(at), log, countedParameters: query, mask });
}

const asIs = (content: unknown): unknown => content;

async function onlyFile(): Promise<string> {
  const [name, ...others] = await readdir(folder);
  if (name === undefined || others.length > 0) throw new TypeError(`not one file: ${[name, ...others].join(', ')}`);
  return join(folder, name);
}

test('reads an entry that another cache wrote to the same folder', async () => {
  const content = { ways: [{ name: 'Käufe “jetzt”' }] };
  await open().write(KEY, content);
  expect(await open().read(KEY, asIs)).toEqual(content);
  expect(lines).toEqual([]);
});

test('writes an entry as one readable file with its key', async () => {
  await open().write({ ...KEY, variables: ['b', 'a'] }, { answer: 42 });
  const file = await onlyFile();
  expect(file).toMatch(/\/act-[0-9a-f]{20}\.v1\.json$/);
  const text = await readFile(file, 'utf8');
  expect(JSON.parse(text)).toEqual({
    version: 1,
    key: { verb: 'act', instruction: 'buy the mug', url: 'https://shop.example/mugs', variables: ['a', 'b'] },
    saved: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
    content: { answer: 42 },
  });
  expect(text.split('\n').length).toBeGreaterThan(8);
});

test.each<readonly [what: string, other: Partial<CacheKey>, query: CountedParameters]>([
  ['the order of query parameters', { url: 'https://shop.example/mugs?b=2&a=1' }, 'all'],
  ['the order and number of variable names', { variables: ['y', 'x', 'y'] }, 'all'],
  ['a fragment', { url: 'https://shop.example/mugs?a=1&b=2#reviews' }, 'all'],
  ['an uncounted query parameter', { url: 'https://shop.example/mugs?a=1&b=2&session=77' }, ['a', 'b']],
  ['white space around the instruction', { instruction: ' buy the mug\n' }, 'all'],
])('finds an entry regardless of %s', async (_what, other, query) => {
  const key = { ...KEY, url: 'https://shop.example/mugs?a=1&b=2', variables: other.variables ? ['x', 'y'] : [] };
  await open({ query }).write(key, 'it');
  expect(await open({ query }).read({ ...key, ...other }, asIs)).toBe('it');
});

test('ignores all query parameters if none counts', async () => {
  await open({ query: 'none' }).write({ ...KEY, url: `${KEY.url}?page=1` }, 'it');
  expect(await open({ query: 'none' }).read({ ...KEY, url: `${KEY.url}?page=2` }, asIs)).toBe('it');
});

test.each<readonly [what: string, other: Partial<CacheKey>]>([
  ['verb', { verb: 'observe' }],
  ['instruction', { instruction: 'buy the cup' }],
  ['path', { url: 'https://shop.example/cups' }],
  ['parameter', { url: 'https://shop.example/mugs?page=2' }],
  ['hash route', { url: 'https://shop.example/mugs#/cart' }],
  ['variable name', { variables: ['amount'] }],
  ['schema', { scope: { type: 'object' } }],
])('uses a separate entry for another %s', async (_what, other) => {
  await open().write(KEY, 'it');
  expect(await open().read({ ...KEY, ...other }, asIs)).toBeUndefined();
});

test('ignores ports of local servers and the order of scope fields', async () => {
  await open().write({ ...KEY, url: 'http://127.0.0.1:4711/a', scope: { x: 1, y: [{ c: 1, d: 2 }] } }, 'it');
  const other = { ...KEY, url: 'http://127.0.0.1:80/a', scope: { y: [{ d: 2, c: 1 }], x: 1 } };
  expect(await open().read(other, asIs)).toBe('it');
});

test('stores neither variable values nor URL credentials', async () => {
  await open().write({ ...KEY, url: 'https://ada:hunter2@shop.example/search?q=hunter2' }, 'it');
  expect(await readFile(await onlyFile(), 'utf8')).not.toMatch(/hunter2|ada/);
  expect(await open().read({ ...KEY, url: 'https://shop.example/search?q=hunter2' }, asIs)).toBe('it');
});

test.each([
  ['cut off', (text: string) => text.slice(0, text.length / 2)],
  ['empty', () => ''],
  ['not an entry', () => '["something else"]'],
])('logs a file that is %s once, ignores it, and replaces it', async (_what, damage) => {
  await open().write(KEY, 'it');
  const file = await onlyFile();
  await writeFile(file, damage(await readFile(file, 'utf8')));
  const cache = open();
  expect(await cache.read(KEY, asIs)).toBeUndefined();
  expect(await cache.read(KEY, asIs)).toBeUndefined();
  expect(lines).toHaveLength(1);
  expect(lines[0]).toMatch(/^0 Ignored cache entry act-\w+\.v1\.json \(.*\): it is damaged\.$/);
  await cache.write(KEY, 'it again');
  expect(await open().read(KEY, asIs)).toBe('it again');
});

test('treats content that the verb does not understand as damaged', async () => {
  await open().write(KEY, 'it');
  expect(await open().read(KEY, () => undefined)).toBeUndefined();
  expect(lines[0]).toContain('damaged');
});

test('neither uses nor overwrites an entry from another version', async () => {
  await open().write(KEY, 'it');
  const file = await onlyFile();
  const foreign = (await readFile(file, 'utf8')).replace('"version": 1', '"version": 2');
  await writeFile(file, foreign);
  const cache = open();
  expect(await cache.read(KEY, asIs)).toBeUndefined();
  await cache.write(KEY, 'mine');
  expect(await readFile(file, 'utf8')).toBe(foreign);
  expect(lines).toEqual([expect.stringContaining('it is from another version')]);
});

test('ignores an entry stored under the file name of another', async () => {
  await open().write(KEY, 'it');
  const file = await onlyFile();
  await writeFile(file, (await readFile(file, 'utf8')).replace('buy the mug', 'sell the mug'));
  expect(await open().read(KEY, asIs)).toBeUndefined();
  expect(lines[0]).toContain('it is for another call');
});

test('logs an unusable folder in one line and does not fail', async () => {
  await writeFile(join(root, 'file'), 'not a folder');
  const cache = open({ at: join(root, 'file') });
  expect(await cache.read(KEY, asIs)).toBeUndefined();
  await cache.write(KEY, 'it');
  await cache.write({ ...KEY, instruction: 'other' }, 'it');
  expect(lines).toHaveLength(1);
  expect(lines[0]).toMatch(/^0 Cannot use the cache \(.*file\): .* Continuing without it\.$/);
});

test('logs a folder in place of an entry and does not fail', async () => {
  await open().write(KEY, 'it');
  const file = await onlyFile();
  await rm(file);
  await mkdir(file);
  const cache = open();
  expect(await cache.read(KEY, asIs)).toBeUndefined();
  await cache.write(KEY, 'it');
  expect(lines).toHaveLength(1);
  expect(await readdir(folder)).toHaveLength(1);
});

test('reads whole entries and loses none while 3 processes write them', async () => {
  const script = new URL('busy-writer.ts', import.meta.url);
  const names = ['one', 'two', 'three'];
  const writers = names.map((name) => runProgram(script, [folder, name]));
  expect(await Promise.all(writers.map((writer) => writer.ended))).toEqual([0, 0, 0]);
  const shared = await open().read({ ...KEY, instruction: 'shared' }, asIs);
  expect(names).toContain((shared as { writer: string }).writer);
  for (const name of names) expect(await open().read({ ...KEY, instruction: name }, asIs)).toBe(name);
  expect((await readdir(folder)).filter((name) => !name.endsWith('.v1.json'))).toEqual([]);
});
