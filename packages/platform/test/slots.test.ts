import { expect, it } from 'vitest';
import { Slots } from '../src/sessions/slots.ts';

const never = new AbortController().signal;
const LIMITS = { capacity: 3, perProject: 2, queuePerProject: 2, queueTimeout: 60_000 };

it('gives a place to each project up to its quota, and to all up to the capacity', async () => {
  const slots = new Slots({ ...LIMITS, queuePerProject: 0 });
  await slots.take('a', never);
  await slots.take('a', never);
  await expect(slots.take('a', never)).rejects.toMatchObject({ code: 'quota_exceeded', status: 429, retryAfter: 5 });
  await slots.take('b', never);
  await expect(slots.take('b', never)).rejects.toMatchObject({ code: 'no_capacity', status: 503, retryAfter: 5 });
});

it('hands a free place to who has waited longest, but past those whose project has its share', async () => {
  const slots = new Slots(LIMITS);
  const [free] = [await slots.take('a', never), await slots.take('a', never), await slots.take('b', never)];
  const order: string[] = [];
  const wait = (project: string): void => void slots.take(project, never).then(() => order.push(project));
  wait('a');
  wait('c');
  wait('b');
  expect(slots.counts).toEqual({ taken: 3, waiting: 3 });
  const last = await Promise.resolve(free);
  last?.();
  last?.();
  await new Promise(setImmediate);
  expect([order, slots.counts]).toEqual([['a'], { taken: 3, waiting: 2 }]);
});

it('lets who goes away, or has waited long enough, out of the queue', async () => {
  const slots = new Slots({ ...LIMITS, capacity: 1, queueTimeout: 10 });
  const free = await slots.take('a', never);
  await expect(slots.take('b', never)).rejects.toMatchObject({ code: 'no_capacity' });
  await expect(slots.take('a', AbortSignal.abort(new TypeError('gone')))).rejects.toThrow('gone');
  const gone = new AbortController();
  const waiting = slots.take('a', gone.signal);
  gone.abort(new TypeError('gone'));
  await expect(waiting).rejects.toThrow('gone');
  expect(slots.counts).toEqual({ taken: 1, waiting: 0 });
  free();
  expect(slots.counts).toEqual({ taken: 0, waiting: 0 });
});
