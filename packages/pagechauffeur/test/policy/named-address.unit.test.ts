import { expect, test } from 'vitest';
import { namesAddress } from '../../src/policy/named-address.ts';

const FILE = 'file:///srv/a.html';

test.each([
  [`Read ${FILE}`, FILE],
  [`Read ${FILE}.`, FILE],
  [`Read "${FILE}", then stop`, FILE],
  [`Read „${FILE}“ and (${FILE})`, FILE],
  [`Sum up ${FILE}'s first line`, FILE],
  [`打开“${FILE}”。`, FILE],
  [`打开${FILE}。`, FILE],
  ['Open chrome://version', 'chrome://version'],
  ['Open %doc% now', '%doc%'],
  [`Not ${FILE}x but ${FILE}`, FILE],
  ['Open file:///srv/my report.html', 'file:///srv/my report.html'],
])('%j names %j', (instruction, address) => {
  expect(namesAddress(instruction, address)).toBe(true);
});

test.each([
  ['Work on ticket #3', '#3'],
  ['Put this into the file: Ada', 'file:'],
  ['Put this into the file:', 'file:'],
  [`Read ${FILE}`, 'file:///srv/'],
  [`Read ${FILE}`, 'file:///srv/a'],
  [`Read ${FILE}.bak`, FILE],
  [`Read pro${FILE}`, FILE],
  [`Read view-source:${FILE}`, FILE],
  [`Read ${FILE}`, ''],
  [`Read ${FILE}`, 'Read'],
])('%j does not name %j', (instruction, address) => {
  expect(namesAddress(instruction, address)).toBe(false);
});
