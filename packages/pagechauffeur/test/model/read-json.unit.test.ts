import { expect, test } from 'vitest';
import { readJson } from '../../src/model/read-json.ts';

test.each([
  ['bare JSON', '{"a":1}', { a: 1 }],
  ['a fenced block', 'Sure:\n```json\n{"a":1}\n```', { a: 1 }],
  ['JSON within prose', 'The answer is {"a":"}"} as you see.', { a: '}' }],
  ['JSON after prose with brackets', 'As [noted] {here}: {"a":[1,2]}', { a: [1, 2] }],
  ['JSON after a <think> block', '<think>maybe {"a":0}</think>{"a":1}', { a: 1 }],
  ['an array within prose', 'x [1, 2] y', [1, 2]],
])('reads %s', (_name, text, data) => {
  expect(readJson(text)).toEqual(data);
});

test.each([
  ['prose alone', 'I cannot see such a button.'],
  ['an empty text', ''],
  ['a truncated object that contains whole objects', '{"items":[{"a":1},{"a":2},{"a'],
])('finds no JSON in %s', (_name, text) => {
  expect(readJson(text)).toBeUndefined();
});
