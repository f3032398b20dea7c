import { expect, it } from 'vitest';
import { MemorySlots } from '../src/sessions/memory-slots.ts';

const never = new AbortController().signal;
const LIMITS = { capacity: 3, perProject: 2, queuePerProject: 2, queueTimeout: 60_000 };

it('limits slots by project quota and total capacity', async () => {
  const slots = new MemorySlots({ ...LIMITS, queuePerProject: 0 });
  await slots.take({ id: 'some', project: 'a' }, never);
  await slots.take({ id: 'some', project: 'a' }, never);
  await expect(slots.take({ id: 'some', project: 'a' }, never)).rejects.toMatchObject({
    code: 'quota_exceeded',
    status: 429,
    retryAfter: 5,
  });
  await slots.take({ id: 'some', project: 'b' }, never);
  await expect(slots.take({ id: 'some', project: 'b' }, never)).rejects.toMatchObject({
    code: 'no_capacity',
    status: 503,
    retryAfter: 5,
  });
});

it('gives a free slot to the longest waiting request within its quota', async () => {
  const slots = new MemorySlots(LIMITS);
  const [place] = [
    await slots.take({ id: 'some', project: 'a' }, never),
    await slots.take({ id: 'some', project: 'a' }, never),
    await slots.take({ id: 'some', project: 'b' }, never),
  ];
  const order: string[] = [];
  const end = new AbortController();
  const wait = async (project: string): Promise<void> => {
    await slots.take({ id: 'some', project }, end.signal);
    order.push(project);
  };
  const waiting = Promise.allSettled(['a', 'c', 'b'].map(wait));
  expect(slots.counts).toEqual({ taken: 3, waiting: 3 });
  const last = await Promise.resolve(place);
  last?.free();
  last?.free();
  await new Promise(setImmediate);
  expect([order, slots.counts]).toEqual([['a'], { taken: 3, waiting: 2 }]);
  end.abort();
  await waiting;
  expect(slots.counts).toEqual({ taken: 3, waiting: 0 });
});

it('removes cancelled and timed-out requests from the queue', async () => {
  const slots = new MemorySlots({ ...LIMITS, capacity: 1, queueTimeout: 10 });
  const place = await slots.take({ id: 'some', project: 'a' }, never);
  await expect(slots.take({ id: 'some', project: 'b' }, never)).rejects.toMatchObject({ code: 'no_capacity' });
  await expect(slots.take({ id: 'some', project: 'a' }, AbortSignal.abort(new TypeError('gone')))).rejects.toThrow(
    'gone',
  );
  const gone = new AbortController();
  const waiting = slots.take({ id: 'some', project: 'a' }, gone.signal);
  gone.abort(new TypeError('gone'));
  await expect(waiting).rejects.toThrow('gone');
  expect(slots.counts).toEqual({ taken: 1, waiting: 0 });
  place.free();
  expect(slots.counts).toEqual({ taken: 0, waiting: 0 });
});

it('gives new slots to queued requests first', async () => {
  const limits = { ...LIMITS, capacity: 0, perProject: 4 };
  const slots = new MemorySlots(limits);
  const order: string[] = [];
  const take = async (name: string): Promise<void> => {
    await slots.take({ id: name, project: 'a' }, never);
    order.push(name);
  };
  const waiting = [take('first'), take('second')];
  limits.capacity = 2;
  const end = new AbortController();
  const late = slots.take({ id: 'late', project: 'a' }, end.signal).catch(() => undefined);
  await Promise.all(waiting);
  expect([order, slots.counts]).toEqual([['first', 'second'], { taken: 2, waiting: 1 }]);
  end.abort();
  await late;
});

it('gives a new slot to a waiting request without another call', async () => {
  const limits = { ...LIMITS, capacity: 0 };
  const slots = new MemorySlots(limits);
  const waiting = slots.take({ id: 'some', project: 'a' }, never);
  limits.capacity = 1;
  await waiting;
  expect(slots.counts).toEqual({ taken: 1, waiting: 0 });
});
