import { beforeEach, expect, test } from 'vitest';
import type { ModelRequest } from '../../src/model/model-client.ts';
import { type Choice, nthRef, useCache } from './cache-bench.ts';

const bench = useCache();
let address = 0;
let path = '';

beforeEach(() => {
  address += 1;
  path = `/page-${address}`;
});

function find(...choices: readonly Choice[]) {
  return (request: ModelRequest): object => ({
    elements: choices.map((choice) => ({
      ref: nthRef(request, choice),
      method: choice.method ?? 'click',
      arguments: choice.arguments ?? [],
      description: `${choice.role} ${choice.name}`,
    })),
  });
}

async function askedBy(call: Promise<unknown>, before: number): Promise<number> {
  await call;
  return bench.asked - before;
}

const rows = (names: readonly string[]): string =>
  names.map((name) => `<tr><td>${name}</td><td><button>Delete</button></td></tr>`).join('');
const PEOPLE = `<table id="t">${rows(['Ada', 'Bob', 'Eve'])}</table><p><button>Save</button></p>`;
const ALL = [0, 1, 2].map((nth) => ({ role: 'button', name: 'Delete', nth }));
const INSTRUCTION = 'find the buttons that delete';

async function observeFirst(): Promise<readonly { selector: string }[]> {
  await bench.open(PEOPLE, path);
  bench.answer = find(...ALL);
  return bench.driver.observe(INSTRUCTION);
}

// [spec: driver-options.cacheDir]
test('returns elements without a model, with placeholders in their arguments', async () => {
  const html = '<label>Name <input></label><label>City <input></label>';
  await bench.open(html, path);
  bench.answer = find({ role: 'textbox', name: 'City', method: 'fill', arguments: ['%city%'] });
  const first = await bench.driver.observe('the city field, to fill in %city%', { variables: { city: 'Bonn' } });
  await bench.open(html, path);
  const metrics = await bench.driver.metrics;
  expect(await bench.driver.observe('the city field, to fill in %city%', { variables: { city: 'Köln' } })).toEqual(
    first,
  );
  expect(first[0]?.arguments).toEqual(['%city%']);
  expect(await bench.driver.metrics).toEqual(metrics);
  expect(bench.lines.some(({ category, message }) => category === 'cache' && message.includes('without a model'))).toBe(
    true,
  );
});

test('does not store a result with a variable that the instruction does not mention', async () => {
  await bench.open('<label>Name <input></label><label>Code <input></label>', path);
  bench.answer = find({ role: 'textbox', name: 'Code', method: 'fill', arguments: ['%code%'] });
  const observed = await bench.driver.observe('the fields', { variables: { code: '4711' } });
  expect(observed[0]?.arguments).toEqual(['%code%']);
  expect(await askedBy(bench.driver.observe('the fields', { variables: { code: '4711' } }), bench.asked)).toBe(1);
  const messages = bench.lines.filter(({ category }) => category === 'cache').map(({ message }) => message);
  expect(messages).toContainEqual(expect.stringMatching(/^Did not store the observe result: .*%code%/));
  expect(messages).not.toContainEqual(expect.stringMatching(/^Ignored the cached observe result/));
});

test('returns moved elements at their new place without a model', async () => {
  await observeFirst();
  await bench.open(
    `<p>Staff</p><div><table class="x"><tbody>${rows(['Eve', 'Ada', 'Bob'])}</tbody></table></div><button>Save</button>`,
    path,
  );
  const row = (number: number): string =>
    `xpath=/html[1]/body[1]/div[1]/table[1]/tbody[1]/tr[${number}]/td[2]/button[1]`;
  const moved = await bench.driver.observe(INSTRUCTION);
  expect(moved.map(({ selector }) => selector)).toEqual([2, 3, 1].map(row));
});

test('keeps the original order of reordered rows', async () => {
  await observeFirst();
  await bench.open(`<table id="t2">${rows(['Eve', 'Ada', 'Bob'])}</table><p><button>Save</button></p>`, path);
  const row = (number: number): string => `xpath=/html[1]/body[1]/table[1]/tbody[1]/tr[${number}]/td[2]/button[1]`;
  const found = await bench.driver.observe(INSTRUCTION);
  expect(found.map(({ selector }) => selector)).toEqual([2, 3, 1].map(row));
});

test.each<readonly [title: string, html: string, choices: readonly Choice[]]>([
  ['an element is missing', PEOPLE.replace(rows(['Bob']), ''), ALL.slice(0, 2)],
  [
    'one more element appears',
    PEOPLE.replace(rows(['Bob']), rows(['Bob', 'Joe'])),
    [...ALL, { ...ALL[0], role: 'button', name: 'Delete', nth: 3 }],
  ],
  ['another row replaces a row', PEOPLE.replace('Bob', 'Joe'), ALL],
])('asks the model again when %s', async (_title, html, choices) => {
  await observeFirst();
  await bench.open(html, path);
  bench.answer = find(...choices);
  const before = bench.asked;
  const found = await bench.driver.observe(INSTRUCTION);
  expect(bench.asked - before).toBe(1);
  expect(found).toHaveLength(choices.length);
});

test('uses separate entries for each `selector` and `ignoreSelectors`', async () => {
  await observeFirst();
  bench.answer = find(...ALL);
  const before = bench.asked;
  expect(await askedBy(bench.driver.observe(INSTRUCTION, { selector: 'table' }), before)).toBe(1);
  expect(await askedBy(bench.driver.observe(INSTRUCTION, { ignoreSelectors: ['p'] }), before)).toBe(2);
  expect(await askedBy(bench.driver.observe(INSTRUCTION, { selector: 'table' }), before)).toBe(2);
});

test('does not store an empty answer', async () => {
  await bench.open('<p>Nothing</p>', path);
  const before = bench.asked;
  bench.answer = find();
  expect(await askedBy(bench.driver.observe('the buttons'), before)).toBe(1);
  expect(await askedBy(bench.driver.observe('the buttons'), before)).toBe(2);
});
