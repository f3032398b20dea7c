import { describe, expect, it } from 'vitest';
import { noGrid, useGrid } from '../support/use-grid.ts';

const BEGIN_MS = 180_000;
const SOON = { timeout: 60_000, interval: 200 };

describe.skipIf(noGrid !== '')(`platform on a Grid with a frozen node${noGrid}`, () => {
  const shared = useGrid({ slots: 2, nodes: 2 }, { grace: 300 });

  it(
    'ends the session of the frozen node, and creates another one on the other node',
    { timeout: BEGIN_MS },
    async () => {
      await expect.poll(() => shared.platform.backend.capacity, SOON).toBe(4);
      const create = (): ReturnType<typeof shared.ask> =>
        shared.ask('POST', '/v1/sessions', { body: { keepAlive: true } });
      const [first, second] = [await create(), await create()];
      const session = async ({ body }: Awaited<ReturnType<typeof create>>): Promise<Record<string, unknown>> =>
        (await shared.ask('GET', `/v1/sessions/${String(body['id'])}`)).body;
      await expect
        .poll(async () => new Set([(await session(first))['node'], (await session(second))['node']]).size)
        .toBe(2);
      await shared.grid.freeze('node-2');
      const third = await create();
      const ended = async (): Promise<unknown[]> => {
        const found = await Promise.all([first, second].map(session));
        return found.filter(({ status }) => status === 'ERROR').map(({ endReason }) => endReason);
      };
      await expect.poll(ended, SOON).toEqual(['The machine that runs the browser stopped responding.']);
      expect(third.status).toBe(201);
      const alive = (await Promise.all([first, second, third].map(session))).filter(
        ({ status }) => status === 'RUNNING',
      );
      expect(new Set(alive.map(({ node }) => node)).size).toBe(1);
      await shared.grid.thaw('node-2');
      for (const { id } of alive)
        await shared.ask('POST', `/v1/sessions/${String(id)}`, { body: { status: 'REQUEST_RELEASE' } });
      await expect.poll(() => shared.sessions(), SOON).toEqual(new Map());
    },
  );
});

describe.skipIf(noGrid !== '')(`platform on a Grid with a killed node${noGrid}`, () => {
  const shared = useGrid({ slots: 2, nodes: 2 }, { grace: 300 });

  it('creates two sessions in the two slots of the other node', { timeout: BEGIN_MS }, async () => {
    await expect.poll(() => shared.platform.backend.capacity, SOON).toBe(4);
    await shared.grid.kill('node-2');
    const create = (): ReturnType<typeof shared.ask> => shared.ask('POST', '/v1/sessions', { body: {} });
    const answers = await Promise.all([create(), create()]);
    expect(answers.map(({ status }) => status)).toEqual([201, 201]);
    const { body } = await shared.ask('GET', '/v1/sessions?status=ERROR');
    expect(body['sessions']).toEqual([]);
    for (const { body: session } of answers)
      await shared.ask('POST', `/v1/sessions/${String(session['id'])}`, { body: { status: 'REQUEST_RELEASE' } });
    await expect.poll(() => shared.sessions(), SOON).toEqual(new Map());
  });
});
