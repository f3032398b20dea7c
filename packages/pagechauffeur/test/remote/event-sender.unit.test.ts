import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { EventSender, type SessionEvent } from '../../src/remote/event-sender.ts';

const sent: (readonly SessionEvent[])[] = [];
const failures: unknown[] = [];

beforeEach(() => vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));

afterEach(() => {
  vi.useRealTimers();
  sent.length = 0;
  failures.length = 0;
});

function sender(send: (events: readonly SessionEvent[]) => Promise<void> = async () => undefined): EventSender {
  return new EventSender({
    send: async (events) => {
      sent.push(events);
      await send(events);
    },
    onFailure: (error) => failures.push(error),
  });
}

const event = (title: string, outcome = ''): SessionEvent => ({
  kind: 'act',
  title,
  outcome,
  isFailed: false,
  time: '2026-01-01T00:00:00.000Z',
});

const titles = (): string[][] => sent.map((events) => events.map(({ title }) => title));

it('sends events of one second together, and truncates long texts', async () => {
  const events = sender();
  events.add(event('a'));
  events.add(event('b', `${'x'.repeat(1998)}😀😀`));
  expect(sent).toEqual([]);
  await vi.advanceTimersByTimeAsync(1000);
  expect(titles()).toEqual([['a', 'b']]);
  expect(sent[0]?.[1]?.outcome).toBe(`${'x'.repeat(1998)}…`);
});

it('keeps a bounded queue while the platform does not answer, then continues', async () => {
  const answered = Promise.withResolvers<void>();
  const events = sender(() => answered.promise);
  events.add(event('first'));
  await vi.advanceTimersByTimeAsync(1000);
  for (let number = 0; number < 600; number += 1) events.add(event(String(number)));
  await vi.advanceTimersByTimeAsync(5000);
  expect(titles()).toEqual([['first']]);
  answered.resolve();
  await vi.advanceTimersByTimeAsync(0);
  expect(titles().slice(1).flat()).toEqual(Array.from({ length: 500 }, (_, number) => String(number + 100)));
  expect(Math.max(...sent.map(({ length }) => length))).toBe(50);
});

it('reports the first failure only, and sends later events', async () => {
  const events = sender(() => Promise.reject(new TypeError('no')));
  for (const title of ['a', 'b']) {
    events.add(event(title));
    await vi.advanceTimersByTimeAsync(1000);
  }
  expect([titles(), failures.length]).toEqual([[['a'], ['b']], 1]);
});

it('sends pending events on close and waits at most 2 s', async () => {
  const events = sender(() => Promise.withResolvers<void>().promise);
  events.add(event('last'));
  const closed = events.close();
  await vi.advanceTimersByTimeAsync(2000);
  await closed;
  expect(titles()).toEqual([['last']]);
});
