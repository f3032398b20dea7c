import { describe, expect, it } from 'vitest';
import { noGrid, useGrid } from '../support/use-grid.ts';

const BEGIN_MS = 180_000;
const SOON = { timeout: 60_000, interval: 200 };

describe.skipIf(noGrid !== '')(`a platform on a grid that loses a node${noGrid}`, () => {
  const shared = useGrid({ slots: 2, nodes: 2 }, { grace: 300 });

  it('creates every session for which the other node has a place', { timeout: BEGIN_MS }, async () => {
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
