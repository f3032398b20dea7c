import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { RequestTurns } from '../src/http/request-turns.ts';

it('starts 20 requests per turn of the event loop, in order', async () => {
  const turns = new RequestTurns();
  const begun: number[] = [];
  const come = async (number: number): Promise<void> => {
    await turns.next();
    begun.push(number);
  };
  const all = Array.from({ length: 50 }, (_none, number) => come(number));
  await Promise.resolve();
  const counts = [begun.length];
  while (begun.length < 40) {
    await nextTurn();
    counts.push(begun.length);
  }
  // Whoever comes later waits behind all others.
  const late = come(50);
  await Promise.all([...all, late]);
  expect(counts).toEqual([20, 40]);
  expect(begun).toEqual(Array.from({ length: 51 }, (_none, number) => number));
});
