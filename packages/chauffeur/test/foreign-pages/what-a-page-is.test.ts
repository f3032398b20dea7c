import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  Driver,
  DriverAbortError,
  DriverInvalidArgumentError,
  DriverTimeoutError,
  type ForeignPage,
} from '../../src/index.ts';
import { firstPage, startDriver, type TestDriver } from '../support/driver-for-test.ts';
import { failureOf } from '../support/failure-of.ts';

let test: TestDriver;

beforeAll(async () => {
  test = await startDriver();
  await test.page.goto('data:text/html,<title>Ours</title><button>Go</button>');
});

afterAll(() => test?.driver.close());

/** A session as other libraries hand it out, answered by the test, with what was asked of it. */
class RecordedSession {
  readonly calls: string[] = [];
  readonly #answer: () => Promise<string>;

  constructor(answer: () => Promise<string>) {
    this.#answer = answer;
  }

  async send(method: string): Promise<{ targetInfo: { targetId: string } }> {
    this.calls.push(method);
    return { targetInfo: { targetId: await this.#answer() } };
  }

  detach(): Promise<void> {
    this.calls.push('detach');
    return Promise.resolve();
  }
}

const kinds: readonly [kind: string, make: (session: RecordedSession) => ForeignPage][] = [
  ['createCDPSession', (session) => ({ createCDPSession: () => Promise.resolve(session) })],
  ['context().newCDPSession', (session) => ({ context: () => ({ newCDPSession: () => Promise.resolve(session) }) })],
];

describe.each(kinds)('an object that has %s', (_kind, make) => {
  it('is a page, found by its target, and its session is closed again', async () => {
    const session = new RecordedSession(() => Promise.resolve(test.page.targetId()));
    expect(await test.driver.observe({ page: make(session) })).toHaveLength(1);
    expect(session.calls).toEqual(['Target.getTargetInfo', 'detach']);
  });

  it('is refused when its target is not in this browser', async () => {
    const session = new RecordedSession(() => Promise.resolve('0123456789ABCDEF0123456789ABCDEF'));
    await expect(test.driver.observe({ page: make(session) })).rejects.toThrow(
      /^page must be an open page of this driver's browser/,
    );
    expect(session.calls).toEqual(['Target.getTargetInfo', 'detach']);
  });

  it('is refused with the reason that its own library gives, and its session is closed again', async () => {
    const session = new RecordedSession(() => Promise.reject(new TypeError('Session is gone')));
    const failure = await failureOf(test.driver.extract({ page: make(session) }));
    expect(failure).toBeInstanceOf(DriverInvalidArgumentError);
    expect(failure).toMatchObject({ argument: 'page', message: expect.stringContaining('Session is gone') });
    expect(session.calls).toEqual(['Target.getTargetInfo', 'detach']);
  });

  it('that never answers ends with the time of the call, and with its signal', async () => {
    const mute = new RecordedSession(() => Promise.withResolvers<string>().promise);
    await expect(test.driver.observe({ page: make(mute), timeout: 50 })).rejects.toThrow(DriverTimeoutError);
    await expect(test.driver.observe({ page: make(mute), signal: AbortSignal.timeout(50) })).rejects.toThrow(
      DriverAbortError,
    );
  });
});

describe('what is no page at all', () => {
  it.each([null, 'page', 5, {}, [], () => undefined, { context: 'default' }])(
    '%j is refused by every verb',
    async (value) => {
      const page = value as unknown as ForeignPage;
      const calls = [
        test.driver.act('click Go', { page }),
        test.driver.observe({ page }),
        test.driver.extract({ page }),
      ];
      for (const call of calls) {
        expect(await failureOf(call)).toMatchObject({
          name: 'DriverInvalidArgumentError',
          argument: 'page',
          message: expect.stringContaining('Playwright, Puppeteer or Patchright in the same browser'),
        });
      }
    },
  );
});

describe('a page of another driver', () => {
  it('in the same browser is taken as ours for the same target', async () => {
    await using second = new Driver({
      env: 'LOCAL',
      disableLoggerBackend: true,
      localBrowserLaunchOptions: { cdpUrl: test.driver.connectURL() },
    });
    await second.init();
    const [found] = await second.observe({ page: test.page });
    expect(found?.description).toContain('Go');
  });

  it('in another browser is refused', async () => {
    await using second = await startDriver();
    await expect(second.driver.observe({ page: test.page })).rejects.toThrow(DriverInvalidArgumentError);
    await expect(test.driver.observe({ page: firstPage(second.driver) })).rejects.toThrow(/of another browser/);
  });
});
