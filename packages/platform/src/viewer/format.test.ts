import { expect, it } from 'vitest';
import { bytes, duration } from './format.ts';

it.each([
  [850, '850 ms'],
  [999.6, '1.0 s'],
  [12_540, '12.5 s'],
  [59_960, '1 min 0 s'],
  [200_000, '3 min 20 s'],
  [239_700, '4 min 0 s'],
  [3_599_700, '1 h 0 min'],
  [7_500_000, '2 h 5 min'],
])('writes a duration of %d ms as "%s"', (ms, text) => {
  expect(duration(ms)).toBe(text);
});

it.each([
  [512, '512 B'],
  [1536, '1.5 KiB'],
  [1024 * 1024 - 1, '1.0 MiB'],
  [20 * 1024 * 1024, '20.0 MiB'],
])('writes %d bytes as "%s"', (count, text) => {
  expect(bytes(count)).toBe(text);
});
