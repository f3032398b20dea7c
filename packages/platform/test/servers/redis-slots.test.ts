import { createClient } from '@redis/client';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { RedisSlots } from '../../src/sessions/redis-slots.ts';
import type { ForwardRequest, SlotLimits } from '../../src/sessions/slots.ts';
import type { LocalService } from '../support/local-service.ts';
import { hasRedis, startRedis } from '../support/redis-server.ts';
import { silentLog } from '../support/silent-log.ts';

const never = new AbortController().signal;
const LIMITS = { capacity: 3, perProject: 2, queuePerProject: 2, queueTimeout: 60_000 };
const SOON = { timeout: 10_000, interval: 10 };

describe.skipIf(!hasRedis)('RedisSlots', () => {
  let redis: LocalService;
  const opened: RedisSlots[] = [];
  let last = 0;

  beforeAll(async () => {
    redis = await startRedis();
  });

  afterAll(async () => {
    await Promise.all(opened.map((slots) => slots.close()));
    await redis?.[Symbol.asyncDispose]();
  });

  /** Two servers of one pool. Each test has its own pools and projects. */
  async function servers(
    limits: Partial<SlotLimits> = {},
    claim = 15_000,
  ): Promise<[RedisSlots, RedisSlots, (name: string) => Ticket]> {
    const mark = `${process.pid}-${(last += 1)}`;
    const parts = {
      url: redis.url,
      limits: Object.setPrototypeOf(limits, LIMITS) as SlotLimits,
      pool: mark,
      log: silentLog,
      claim,
    };
    const [one, other] = await Promise.all([RedisSlots.open(parts), RedisSlots.open(parts)]);
    opened.push(one, other);
    return [one, other, (project) => ({ id: `${mark}-${(last += 1)}`, project: `${mark}-${project}` })];
  }

  interface Ticket {
    readonly id: string;
    readonly project: string;
  }

  it('limits slots by project quota and total capacity across servers', async () => {
    const [one, other, ticket] = await servers({ queuePerProject: 0 });
    const asked = await Promise.allSettled(
      [one, other, one, other, one].map((slots) => slots.take(ticket('a'), never)),
    );
    expect(asked.filter(({ status }) => status === 'fulfilled')).toHaveLength(2);
    for (const { reason } of asked.filter((answer) => answer.status === 'rejected'))
      expect(reason).toMatchObject({ code: 'quota_exceeded', status: 429, retryAfter: 5 });
    await other.take(ticket('b'), never);
    await expect(one.take(ticket('b'), never)).rejects.toMatchObject({ code: 'no_capacity', status: 503 });
    expect(one.counts.taken + other.counts.taken).toBe(3);
  });

  it('gives a freed slot to the longest waiting request on any server within its quota', async () => {
    const [one, other, ticket] = await servers();
    const [place] = [await one.take(ticket('a'), never), await other.take(ticket('a'), never)];
    await one.take(ticket('b'), never);
    const order: string[] = [];
    const end = new AbortController();
    const taken: Promise<unknown>[] = [];
    const wait = async (slots: RedisSlots, project: string): Promise<void> => {
      const waiting = one.counts.waiting + other.counts.waiting;
      taken.push(slots.take(ticket(project), end.signal).then(() => order.push(project)));
      await vi.waitFor(() => expect(one.counts.waiting + other.counts.waiting).toBe(waiting + 1), SOON);
    };
    await wait(one, 'a');
    await wait(other, 'c');
    await wait(one, 'b');
    place?.free();
    place?.free();
    await vi.waitFor(() => expect(order).toEqual(['a']), SOON);
    expect(one.counts.waiting + other.counts.waiting).toBe(2);
    const ended = Promise.allSettled(taken);
    end.abort();
    expect((await ended).map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected']);
  });

  it('gives an added slot to a queued request first', async () => {
    const limits = { capacity: 0, perProject: 4 };
    const [one, other, ticket] = await servers(limits);
    const order: string[] = [];
    const take = async (slots: RedisSlots, name: string): Promise<void> => {
      await slots.take(ticket('a'), never);
      order.push(name);
    };
    const first = take(one, 'first');
    await vi.waitFor(() => expect(one.counts.waiting).toBe(1), SOON);
    limits.capacity = 1;
    const end = new AbortController();
    const late = other.take(ticket('a'), end.signal).catch(() => undefined);
    await first;
    expect([order, one.counts.taken, other.counts.taken]).toEqual([['first'], 1, 0]);
    end.abort();
    await late;
  });

  it('removes cancelled and timed-out requests from the queue', async () => {
    const [one, other, ticket] = await servers({ capacity: 1, queuePerProject: 1 });
    const place = await one.take(ticket('a'), never);
    const gone = new AbortController();
    const waiting = other.take(ticket('a'), gone.signal);
    await vi.waitFor(() => expect(other.counts.waiting).toBe(1), SOON);
    await expect(one.take(ticket('a'), never)).rejects.toMatchObject({ code: 'no_capacity' });
    gone.abort(new TypeError('gone'));
    await expect(waiting).rejects.toThrow('gone');
    const next = other.take(ticket('a'), never);
    place?.free();
    (await next)?.free();
    const [hasty, , tickets] = await servers({ capacity: 0, queueTimeout: 10 });
    await expect(hasty.take(tickets('a'), never)).rejects.toMatchObject({ code: 'no_capacity' });
  });

  it('claims slots again after Redis loses its data, and queues requests while Redis is down', async () => {
    const [one, other, ticket] = await servers({ capacity: 2 }, 2000);
    const held = ticket('a');
    const place = await one.take(held, never);
    await redis.stop('SIGKILL');
    const meanwhile = other.take(ticket('b'), never);
    await redis.start();
    await meanwhile;
    const client = await createClient({ url: redis.url }).connect();
    await vi.waitFor(async () => expect(await client.zCard(`{chauffeur}:project:${held.project}`)).toBe(1), SOON);
    client.destroy();
    const third = other.take(ticket('c'), never);
    await vi.waitFor(() => expect(other.counts.waiting).toBe(1), SOON);
    place?.free();
    await third;
  });

  it('stays within the capacity of a server right after Redis loses its data', async () => {
    const [one, , ticket] = await servers({ capacity: 2, perProject: 9, queuePerProject: 0 });
    await one.take(ticket('a'), never);
    await one.take(ticket('a'), never);
    const client = createClient({ url: redis.url });
    await client.connect();
    await client.flushAll();
    client.destroy();
    await expect(one.take(ticket('b'), never)).rejects.toMatchObject({ code: 'no_capacity' });
    expect(one.counts.taken).toBe(2);
  });

  it('offers no slots after `withdraw()`', async () => {
    const mark = `${process.pid}-${(last += 1)}`;
    const parts = { url: redis.url, limits: { ...LIMITS, capacity: 1, queueTimeout: 0 }, log: silentLog, claim: 400 };
    const [ending, other] = await Promise.all([RedisSlots.open(parts), RedisSlots.open(parts)]);
    opened.push(ending, other);
    const passOn = vi.fn<ForwardRequest>(async () => 'begun');
    const ticket = (): Ticket => ({ id: `${mark}-${(last += 1)}`, project: mark });
    other.hold(ticket());
    ending.offer('http://127.0.0.1:9');
    await ending.withdraw();
    const place = ending.hold(ticket());
    const client = await createClient({ url: redis.url }).connect();
    await vi.waitFor(async () => expect(await client.zCard(`{chauffeur}:project:${mark}`)).toBe(2), SOON);
    client.destroy();
    place.free();
    const project = `${mark}-b`;
    await expect(other.take({ ...ticket(), project, forwardRequest: passOn }, never)).rejects.toMatchObject({
      code: 'no_capacity',
    });
    expect(passOn).not.toHaveBeenCalled();
  });

  it('expires the slots of a lost server, except those that another server adopted', async () => {
    const [one, other, ticket] = await servers({ capacity: 2 }, 2000);
    const [left, lost] = [ticket('a'), ticket('a')];
    (await one.take(left, never))?.leave();
    await one.take(lost, never);
    const place = other.hold(left);
    await one.close();
    await other.take(ticket('b'), never);
    const next = other.take(ticket('b'), never);
    await vi.waitFor(() => expect(other.counts.waiting).toBe(1), SOON);
    place?.free();
    await next;
  });
});

it.skipIf(!hasRedis)('rejects `RedisSlots.open()` with `unavailable` if Redis is unreachable', async () => {
  const parts = { url: 'redis://127.0.0.1:1', limits: LIMITS, pool: 'none', log: silentLog, timeout: 0 };
  await expect(RedisSlots.open(parts)).rejects.toMatchObject({ code: 'unavailable' });
});
