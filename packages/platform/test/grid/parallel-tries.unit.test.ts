import { beforeEach, expect, it } from 'vitest';
import { firstOfTries, type ParallelTries } from '../../src/browsers/grid/parallel-tries.ts';

type Attempt = PromiseWithResolvers<string> & { readonly signal: AbortSignal };

let attempts: Attempt[] = [];
let undone: string[] = [];
const forever = new AbortController().signal;

beforeEach(() => {
  attempts = [];
  undone = [];
});

/** Tries that end when a test ends them. */
function triesOf(change: Partial<ParallelTries<string>> = {}): ParallelTries<string> {
  return {
    attempt: (signal) => {
      const attempt = { ...Promise.withResolvers<string>(), signal };
      attempts.push(attempt);
      return attempt.promise;
    },
    every: 5,
    most: 2,
    mayBegin: async () => true,
    isTemporary: (error) => error === 'passing',
    undo: async (result) => void undone.push(result),
    ...change,
  };
}

it('returns the first result, and undoes a later one', async () => {
  const first = firstOfTries(triesOf(), forever);
  await expect.poll(() => attempts).toHaveLength(2);
  attempts[1]?.resolve('second');
  expect(await first).toBe('second');
  expect(attempts[0]?.signal.aborted).toBe(true);
  attempts[0]?.resolve('first');
  await expect.poll(() => undone).toEqual(['first']);
  expect(attempts).toHaveLength(2);
});

it('continues after temporary errors, and rejects with the last one if no attempt is left', async () => {
  const first = firstOfTries(triesOf(), forever);
  await expect.poll(() => attempts).toHaveLength(2);
  attempts[0]?.reject('passing');
  await expect.poll(() => attempts).toHaveLength(3);
  attempts[1]?.reject('passing');
  attempts[2]?.resolve('third');
  expect(await first).toBe('third');
  const alone = firstOfTries(triesOf({ mayBegin: async () => false }), forever);
  attempts[3]?.reject('passing');
  await expect(alone).rejects.toBe('passing');
});

it('rejects immediately for a permanent error, and aborts the other attempts', async () => {
  const first = firstOfTries(triesOf(), forever);
  await expect.poll(() => attempts).toHaveLength(2);
  attempts[1]?.reject('lasting');
  await expect(first).rejects.toBe('lasting');
  expect(attempts[0]?.signal.aborted).toBe(true);
});

it('aborts its attempts with its signal, and rejects with the reason', async () => {
  const gone = new AbortController();
  const first = firstOfTries(triesOf(), gone.signal);
  attempts[0]?.signal.addEventListener('abort', () => attempts[0]?.reject(gone.signal.reason));
  gone.abort('gone');
  await expect(first).rejects.toBe('gone');
});
