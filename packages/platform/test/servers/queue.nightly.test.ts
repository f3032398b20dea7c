import { beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { runProgram } from '../../../pagechauffeur/test/support/run-program.ts';
import type { Platform } from '../../src/platform.ts';
import { hasSharedServices, useSharedServices } from '../support/shared-services.ts';
import { type Answer, ask } from '../support/use-platform.ts';

const SERVER = new URL('../support/server-program.ts', import.meta.url);
const SOON = { timeout: 20_000, interval: 20 };
/** A server that does not answer is given up after at most 6 s. */
const NOTICED = { timeout: 120_000 };

describe.skipIf(!hasSharedServices)('queue of two servers with their own browsers', () => {
  const services = useSharedServices();
  const limits = { capacity: 1, queueTimeout: 60_000 };
  let one: Platform;
  let other: Platform;
  let key: string;

  beforeAll(async () => {
    one = await services.server('own', limits);
    other = await services.server('own', limits);
    key = one.firstKey ?? '';
  });

  function askAt({ port }: Pick<Platform, 'port'>, method: string, path: string, body?: object): Promise<Answer> {
    const url = `http://127.0.0.1:${port}`;
    return ask({ url, firstKey: key }, { method, path, ...(body ? { body } : {}) });
  }

  async function create(platform: Platform): Promise<string> {
    const { status, body } = await askAt(platform, 'POST', '/v1/sessions', {});
    expect(status).toBe(201);
    return String(body['id']);
  }

  async function release(id: string): Promise<void> {
    await askAt(one, 'POST', `/v1/sessions/${id}`, { status: 'REQUEST_RELEASE' });
  }

  async function waiting(): Promise<number> {
    const texts = await Promise.all([one, other].map(async (each) => (await askAt(each, 'GET', '/metrics')).body));
    return texts.reduce((sum, { text }) => sum + Number(/^chauffeur_queue (\d+)/m.exec(String(text))?.[1]), 0);
  }

  it('gives a free slot on any server to the longest waiting request', async () => {
    const held = [await create(one), await create(other)];
    const begun: { readonly turn: number; readonly id: string }[] = [];
    const created: Promise<number>[] = [];
    for (const [turn, platform] of [one, one, other, one].entries()) {
      created.push(create(platform).then((id) => begun.push({ turn, id })));
      await vi.waitFor(async () => expect(await waiting()).toBe(turn + 1), SOON);
    }
    let next = held[1] ?? '';
    for (let turn = 0; turn < created.length; turn += 1) {
      await release(next);
      await vi.waitFor(() => expect(begun).toHaveLength(turn + 1), SOON);
      next = begun[turn]?.id ?? '';
      expect([begun[turn]?.turn, other.sessionManager.live.has(next)]).toEqual([turn, true]);
    }
    await Promise.all([held[0] ?? '', next].map(release));
  });

  it('skips a frozen server with free slots', NOTICED, async () => {
    const held = [await create(one), await create(other)];
    const shared = { database: services.postgres.url, redis: services.redis.url, logLevel: 'silent', capacity: 5 };
    const simulated = { origin: services.browsers.origin, kind: 'own' };
    const program = runProgram(SERVER, [JSON.stringify({ options: { ...shared, port: 0 }, simulated })]);
    onTestFinished(() => program.kill());
    await program.lineWith('Port ');
    process.kill(program.pid, 'SIGSTOP');
    const asked = create(one);
    await vi.waitFor(async () => expect(await waiting()).toBe(1), SOON);
    await release(held[1] ?? '');
    const id = await asked;
    expect(other.sessionManager.live.has(id)).toBe(true);
    await Promise.all([held[0] ?? '', id].map(release));
  });
});
