import { dirname } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { childrenOf, commandLine, profileOf } from '../../pagechauffeur/test/support/processes.ts';
import { startPlatform } from '../src/platform.ts';
import type { CreateParameters } from '../src/sessions/create-parameters.ts';
import { FOR_TESTS } from './support/use-platform.ts';

const SOON = { timeout: 10_000, interval: 25 };

/** Process ids of the browsers of this process. */
function browsers(): number[] {
  return childrenOf(process.pid).filter((pid) => commandLine(pid).some((word) => word.startsWith('--user-data-dir=')));
}

async function browsersAre(count: number): Promise<number[]> {
  await vi.waitFor(() => expect(browsers()).toHaveLength(count), SOON);
  return browsers();
}

/** A session, identified by its browser's profile folder. */
interface Rented {
  readonly profile: string;
  end(): Promise<void>;
}

async function start(
  capacity: number,
): Promise<{ create(parameters?: CreateParameters): Promise<Rented>; close(): Promise<void> }> {
  const platform = await startPlatform({ ...FOR_TESTS, warm: 1, capacity });
  onTestFinished(() => platform.close());
  const key = await platform.keys.authenticate(platform.firstKey ?? '');
  const { signal } = new AbortController();
  return {
    close: () => platform.close(),
    create: async (parameters = {}) => {
      const created = await platform.sessionManager.create({ key, parameters, idempotencyKey: undefined, signal });
      const id = created?.row.id ?? '';
      const { downloads = '' } = platform.sessionManager.live.get(id)?.browser ?? {};
      return {
        profile: dirname(downloads),
        end: () => platform.sessionManager.end(id, { status: 'COMPLETED', reason: 'The test is done.' }),
      };
    },
  };
}

describe('warm browser', () => {
  it('serves the next session, gets a replacement, and ends with the platform', async () => {
    const { create, close } = await start(3);
    const [ready = 0] = await browsersAre(1);
    const session = await create();
    expect(session.profile).toBe(profileOf(ready));
    expect(await browsersAre(2)).toContain(ready);
    await session.end();
    expect(browsers()).not.toContain(ready);
    await close();
    expect(browsers()).toEqual([]);
  });

  it('stays unused by a session with a custom user agent', async () => {
    const { create } = await start(3);
    const [ready = 0] = await browsersAre(1);
    const session = await create({ userAgent: 'Ada' });
    expect(session.profile).not.toBe(profileOf(ready));
    expect(await browsersAre(2)).toContain(ready);
    await session.end();
    expect(browsers()).toEqual([ready]);
  });

  it('does not block a session after it is killed while it waits', async () => {
    const { create } = await start(1);
    const [ready = 0] = await browsersAre(1);
    process.kill(ready, 'SIGKILL');
    await browsersAre(0);
    await create();
    // Only one place exists, which the session has.
    expect(browsers()).toHaveLength(1);
    expect(browsers()).not.toContain(ready);
  });
});
