import { afterEach, describe, expect, test, vi } from 'vitest';
import { DriverAbortError, DriverClosedError, DriverTimeoutError } from '../errors.ts';
import { deferred, type Deferred } from '../util/deferred.ts';
import { Progress } from '../util/progress.ts';
import { PageLock, sharePageLock, type Turn } from './page-lock.ts';

interface Action {
  readonly done: Promise<unknown>;
  readonly progress: Progress;
  /** The turn, once it has started. */
  readonly begun: Promise<Turn>;
  readonly finish: Deferred<void>;
}

/** Actions on a page. Each one runs until the test finishes it. */
class Actions {
  readonly lock: PageLock;
  readonly gone = new AbortController();
  readonly order: string[] = [];
  /** Input that the browser has not acknowledged, oldest first. */
  input: Promise<unknown>[] = [];

  constructor(lock: PageLock = new PageLock()) {
    this.lock = lock;
  }

  start(label: string, limits: { timeout?: number; grace?: number; signal?: AbortSignal } = {}): Action {
    const { timeout = 0, grace = 0, signal } = limits;
    const progress = new Progress({ operation: label, timeout, grace, signals: [signal] });
    const begun = deferred<Turn>();
    const finish = deferred<void>();
    const request = { progress, label, gone: this.gone.signal, inputInFlight: () => this.input[0] };
    const done = this.lock.run(request, async (turn) => {
      this.order.push(label);
      begun.resolve(turn);
      await progress.race(finish.promise);
      return label;
    });
    done.catch(() => undefined);
    return { done, progress, begun: begun.promise, finish };
  }
}

/** Runs all pending callbacks. */
function turnsPassed(): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve);
  });
}

function never(): Promise<never> {
  return Promise.withResolvers<never>().promise;
}

afterEach(() => void vi.useRealTimers());

describe('PageLock', () => {
  test('runs actions one at a time in the order of their calls', async () => {
    const actions = new Actions();
    const [first, second, third] = ['first', 'second', 'third'].map((label) => actions.start(label));
    await first?.begun;
    await turnsPassed();
    expect(actions.order).toEqual(['first']);
    first?.finish.resolve();
    await second?.begun;
    expect(actions.order).toEqual(['first', 'second']);
    second?.finish.resolve();
    third?.finish.resolve();
    expect(await third?.done).toBe('third');
  });

  test('gives each turn a unique token', async () => {
    const actions = new Actions();
    const [first, second] = [actions.start('first'), actions.start('second')];
    first.finish.resolve();
    const [one, other] = [await first.begun, await second.begun];
    expect(one.owner.token).not.toBe(other.owner.token);
    expect(other.owner.within).toEqual([]);
  });

  test('sets `isWanted` while another action waits', async () => {
    const actions = new Actions();
    const turn = await actions.start('first').begun;
    expect(turn.isWanted).toBe(false);
    actions.start('second');
    expect(turn.isWanted).toBe(true);
  });

  test('ends the turn when the action throws', async () => {
    const actions = new Actions();
    const first = actions.start('first');
    const second = actions.start('second');
    first.finish.reject(new TypeError('wrong'));
    await expect(first.done).rejects.toThrow('wrong');
    expect((await second.begun).label).toBe('second');
  });
});

describe('call that waits for the page lock', () => {
  test('logs which action it waits for', async () => {
    const actions = new Actions();
    actions.start('click on #save');
    const second = actions.start('fill on #name');
    expect(second.progress.callLog).toEqual(['waiting for the page lock: click on #save is running']);
  });

  test('does not run after an abort, and lets the next call run', async () => {
    const actions = new Actions();
    const first = actions.start('first');
    const abort = new AbortController();
    const second = actions.start('second', { signal: abort.signal });
    const third = actions.start('third');
    abort.abort();
    await expect(second.done).rejects.toBeInstanceOf(DriverAbortError);
    first.finish.resolve();
    await third.begun;
    expect(actions.order).toEqual(['first', 'third']);
  });

  test('does not run if the abort arrives as its turn starts', async () => {
    const actions = new Actions();
    const first = actions.start('first');
    const abort = new AbortController();
    const second = actions.start('second', { signal: abort.signal });
    const third = actions.start('third');
    first.finish.resolve();
    await first.begun;
    abort.abort();
    await expect(second.done).rejects.toBeInstanceOf(DriverAbortError);
    await third.begun;
    expect(actions.order).toEqual(['first', 'third']);
  });

  test('times out after `timeout`, without the grace period', async () => {
    const actions = new Actions();
    actions.start('first');
    const second = actions.start('second', { timeout: 20, grace: 3_600_000 });
    const failure = await second.done.catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(DriverTimeoutError);
    expect((failure as DriverTimeoutError).callLog).toContain('waiting for the page lock: first is running');
    expect(actions.order).toEqual(['first']);
  });

  test('rejects with the reason when the page crashes', async () => {
    const actions = new Actions();
    actions.start('first');
    const second = actions.start('second');
    actions.gone.abort(new DriverClosedError('The page crashed.'));
    await expect(second.done).rejects.toThrow('The page crashed.');
    await expect(actions.start('third').done).rejects.toThrow('The page crashed.');
  });
});

describe('aborted action', () => {
  test('keeps its turn until the browser acknowledges all its input', async () => {
    const actions = new Actions();
    const [key, another] = [deferred<void>(), deferred<void>()];
    actions.input = [key.promise, another.promise];
    const abort = new AbortController();
    const first = actions.start('first', { signal: abort.signal });
    const second = actions.start('second');
    await first.begun;
    abort.abort();
    await expect(first.done).rejects.toBeInstanceOf(DriverAbortError);
    await turnsPassed();
    expect(actions.order).toEqual(['first']);
    actions.input = [another.promise];
    key.resolve();
    await turnsPassed();
    expect(actions.order).toEqual(['first']);
    actions.input = [];
    another.resolve();
    await second.begun;
  });

  test('ends its turn within 60 s if the page never acknowledges the input', async () => {
    const actions = new Actions();
    actions.input = [never()];
    const abort = new AbortController();
    const first = actions.start('first', { signal: abort.signal });
    const second = actions.start('second');
    await first.begun;
    vi.useFakeTimers();
    abort.abort();
    await vi.advanceTimersByTimeAsync(60_000);
    expect((await second.begun).label).toBe('second');
  });
});

test('keeps the turn of an aborted action until the open dialog closes', async () => {
  const actions = new Actions();
  const click = deferred<void>();
  actions.input = [click.promise];
  const abort = new AbortController();
  const first = actions.start('first', { signal: abort.signal });
  void actions.start('second');
  await first.begun;
  actions.lock.isPageStopped = true;
  vi.useFakeTimers();
  abort.abort();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(actions.order).toEqual(['first']);
  actions.lock.isPageStopped = false;
  actions.input = [];
  click.resolve();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(actions.order).toEqual(['first', 'second']);
});

describe('action in an event handler', () => {
  test('runs while the outer action yields, before the next queued action', async () => {
    const actions = new Actions();
    const outer = actions.start('outer');
    const turn = await outer.begun;
    const next = actions.start('next');
    const inner = actions.lock.asHandler(() => actions.start('inner'));
    await turnsPassed();
    expect(actions.order).toEqual(['outer']);
    const waited = deferred<void>();
    const waiting = turn.yielding(() => waited.promise);
    expect((await inner.begun).owner.within).toEqual([turn.owner.token]);
    waited.resolve();
    await waiting;
    outer.finish.resolve();
    expect(await outer.done).toBe('outer');
    await turnsPassed();
    expect(actions.order).toEqual(['outer', 'inner']);
    inner.finish.resolve();
    await next.begun;
    expect(actions.order).toEqual(['outer', 'inner', 'next']);
  });

  test('runs immediately while a dialog blocks the page', async () => {
    const actions = new Actions();
    await actions.start('outer').begun;
    actions.lock.isPageStopped = true;
    const inner = actions.lock.asHandler(() => actions.start('inner'));
    expect((await inner.begun).label).toBe('inner');
  });

  test('takes its own turn before later calls if the outer action ends without yielding', async () => {
    const actions = new Actions();
    const outer = actions.start('outer');
    await outer.begun;
    const inner = actions.lock.asHandler(() => actions.start('inner'));
    const next = actions.start('next');
    outer.finish.resolve();
    inner.finish.resolve();
    await next.begun;
    expect(actions.order).toEqual(['outer', 'inner', 'next']);
    expect((await inner.begun).owner.within).toEqual([]);
  });

  test('counts as nested in the outer action, even through a handler of another page', async () => {
    const [first, second] = [new Actions(), new Actions()];
    const outer = await first.start('here').begun;
    const nested = first.lock.asHandler(() => second.start('there'));
    await nested.begun;
    const back = second.lock.asHandler(() => first.start('back'));
    void outer.yielding(never);
    expect((await back.begun).owner.within).toEqual([outer.owner.token]);
  });
});

describe('nested actions', () => {
  test('runs in order within the outer turn, and delays handlers until the outer action yields', async () => {
    const actions = new Actions();
    const turn = await actions.start('outer').begun;
    const [first, second] = turn.inside(() => [actions.start('first part'), actions.start('second part')]);
    await first?.begun;
    const handler = actions.lock.asHandler(() => actions.start('handler'));
    first?.finish.resolve();
    await second?.begun;
    second?.finish.resolve();
    await second?.done;
    await turnsPassed();
    expect(actions.order).toEqual(['outer', 'first part', 'second part']);
    void turn.yielding(never);
    await handler.begun;
  });
});

test('shares one lock per target between connections, also after one of them leaves', () => {
  const [one, other] = [sharePageLock('target'), sharePageLock('target')];
  expect(one.lock).toBe(other.lock);
  expect(sharePageLock('another').lock).not.toBe(one.lock);
  one.leave();
  expect(sharePageLock('target').lock).toBe(one.lock);
});

test('reports the page as free when the last of the waiting actions has ended', async () => {
  const page = new Actions();
  await page.lock.whenFree();
  const [first, second] = [page.start('first'), page.start('second')];
  const order: string[] = [];
  const free = page.lock.whenFree().then(() => order.push('free'));
  for (const { finish, done } of [first, second]) {
    await turnsPassed();
    expect(page.lock.isTaken).toBe(true);
    finish.resolve();
    order.push(String(await done));
  }
  await free;
  expect(order).toEqual(['first', 'second', 'free']);
  expect(page.lock.isTaken).toBe(false);
});
