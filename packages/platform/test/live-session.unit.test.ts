import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { DownloadController } from '../src/sessions/download-controller.ts';
import { OutsideTargets } from '../src/sessions/outside-targets.ts';
import { DownloadList } from '../src/sessions/download-list.ts';
import { LiveSession, type SessionEnd } from '../src/sessions/live-session.ts';
import type { SessionRow } from '../src/store/store.ts';
import { silentLog } from './support/silent-log.ts';

const TIMES = { grace: 100, firstClient: 1000, idle: Number.POSITIVE_INFINITY, beat: 1000 };
const ROW: SessionRow = {
  id: 'some',
  project: 'default',
  keyId: 'key',
  status: 'RUNNING',
  keepAlive: false,
  region: 'local',
  metadata: {},
  createdAt: 0,
  expiresAt: 1e6,
  endedAt: undefined,
  endReason: undefined,
  owner: 'me',
  browser: undefined,
  seat: undefined,
  node: undefined,
  idleTimeout: undefined,
  idempotencyKey: undefined,
  requestDigest: '',
};

let ends: SessionEnd[];

beforeEach(() => {
  ends = [];
  vi.useFakeTimers({ now: 0 });
});

afterEach(() => {
  vi.useRealTimers();
});

function begin(row: Partial<SessionRow> = {}, times: Partial<typeof TIMES> = {}): LiveSession {
  const browser = {
    sessionId: 'some',
    url: '',
    downloads: '',
    maxMessageBytes: 1,
    openDownload: async () => undefined,
    openDevTools: async () => undefined,
    end: async () => undefined,
  };
  const list = new DownloadList([], () => undefined);
  const session = new LiveSession({
    row: ROW,
    browser,
    times: { ...TIMES, ...times },
    downloads: list,
    downloadController: new DownloadController({ sessionId: 'some', folder: '', quota: 1, list, log: silentLog }),
    outsideTargets: new OutsideTargets('some', silentLog),
    onEnd: (end) => ends.push(end),
  });
  session.begin({ ...ROW, ...row });
  return session;
}

/** A client that records why it was ended. */
function client(reasons: string[] = []): { end(reason: string): void } {
  return { end: (reason) => void reasons.push(reason) };
}

it('ends after `firstClient` without a client, and after `grace` without a returning one', () => {
  begin();
  vi.advanceTimersByTime(999);
  expect(ends).toEqual([]);
  vi.advanceTimersByTime(1);
  expect(ends).toEqual([{ status: 'TIMED_OUT', reason: 'No client connected.' }]);
  const session = begin();
  const [first, second] = [client(), client()];
  session.attach(first);
  session.detach(first);
  vi.advanceTimersByTime(99);
  session.attach(second);
  vi.advanceTimersByTime(10_000);
  session.detach(second);
  vi.advanceTimersByTime(99);
  expect(ends).toHaveLength(1);
  vi.advanceTimersByTime(1);
  expect(ends.at(-1)).toEqual({ status: 'COMPLETED', reason: 'The last client disconnected.' });
});

it('subtracts the time since a client was lost from the grace period', () => {
  const session = begin();
  const lost = client();
  session.attach(lost);
  vi.advanceTimersByTime(80);
  session.detach(lost, Date.now() - 80);
  vi.advanceTimersByTime(19);
  expect(ends).toEqual([]);
  vi.advanceTimersByTime(1);
  expect(ends).toEqual([{ status: 'COMPLETED', reason: 'The last client disconnected.' }]);
});

it('waits while a client connects, and another `grace` if the connection fails', async () => {
  const session = begin();
  const first = client();
  session.attach(first);
  session.detach(first);
  vi.advanceTimersByTime(99);
  const { promise: arrival, reject } = Promise.withResolvers<never>();
  const expected = session.expectClient(arrival);
  expect(session.arriving).toBe(1);
  vi.advanceTimersByTime(10_000);
  reject(new Error('It did not come.'));
  await expect(expected).rejects.toThrow('It did not come.');
  vi.advanceTimersByTime(99);
  expect([session.arriving, session.isOver]).toEqual([0, false]);
  vi.advanceTimersByTime(1);
  expect(session.isOver).toBe(true);
  expect(ends).toEqual([{ status: 'COMPLETED', reason: 'The last client disconnected.' }]);
});

it('ends after `grace` if its creator abandons it', () => {
  begin().abandon();
  vi.advanceTimersByTime(100);
  expect(ends).toHaveLength(1);
});

it('stays open without clients until `keepAlive` is false', () => {
  const session = begin({ keepAlive: true });
  vi.advanceTimersByTime(500_000);
  expect(ends).toEqual([]);
  session.update(ROW);
  vi.advanceTimersByTime(1000);
  expect(ends).toHaveLength(1);
});

it('ends when its clients are idle, and at `expiresAt` in any case', () => {
  const session = begin({ keepAlive: true }, { idle: 1000 });
  session.attach(client());
  for (let time = 0; time < 5000; time += 500) {
    session.touch();
    vi.advanceTimersByTime(500);
  }
  expect(ends).toEqual([]);
  vi.advanceTimersByTime(500);
  expect(ends).toEqual([{ status: 'TIMED_OUT', reason: 'The clients were idle for 1000 ms.' }]);
  const busy = begin({ keepAlive: true, expiresAt: Date.now() + 2000 });
  busy.attach(client());
  vi.advanceTimersByTime(2000);
  expect(ends.at(-1)).toEqual({ status: 'TIMED_OUT', reason: 'The session reached its timeout.' });
});

it('disconnects its clients once when `stop()` is called twice', () => {
  const reasons: string[] = [];
  const session = begin();
  session.attach(client(reasons));
  session.stop('The session was released.');
  session.stop('again');
  expect(reasons).toEqual(['The session was released.']);
  expect(vi.getTimerCount()).toBe(0);
});
