import { readdir } from 'node:fs/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { processesWith } from '../support/processes.ts';
import { runProgram } from '../support/run-program.ts';
import {
  expectKept,
  expectNothingLeft,
  GONE_WITHIN,
  makeFolder,
  programFolder,
  removeFolder,
  useEndedParent,
} from './end-of-parent.ts';

describe.each(['SIGINT', 'SIGHUP', 'an unhandled rejection', 'process.abort'])('end of the parent by %s', (way) => {
  const opened = useEndedParent(way);

  // [spec: states.parent-exit, driver-options.keepAlive]
  it('removes a browser without keepAlive, its watchdog and its profile', async () => {
    await expect(expectNothingLeft(opened(), way)).resolves.toBeUndefined();
  });

  // [spec: states.parent-exit-keep-alive, driver-options.keepAlive]
  it('keeps a browser with keepAlive and its page, even after an attached driver closes', async () => {
    await expect(expectKept(opened(), way)).resolves.toBeUndefined();
  });
});

describe('without keepAlive', () => {
  beforeEach(makeFolder);
  afterEach(removeFolder);

  // [spec: states.parent-exit]
  it(
    'leaves no process or file behind when the parent is killed at any step of the launch',
    { timeout: 180_000 },
    async () => {
      const script = new URL('./programs/killed-while-starting.ts', import.meta.url);
      await using whole = runProgram(script, ['0']);
      const { steps } = JSON.parse(await whole.lineWith('steps')) as { steps: number };
      // The first browser with its watchdog, its folders and a file; the second needs no watchdog more.
      expect(steps).toBe(9);
      await whole.kill();
      for (let step = 1; step <= steps; step++) {
        await using program = runProgram(script, [String(step)]);
        expect(await program.ended).toBe('SIGKILL');
        await expect
          .poll(() => processesWith(programFolder()), { ...GONE_WITHIN, message: `after step ${step}` })
          .toEqual([]);
        await expect
          .poll(() => readdir(programFolder()), { ...GONE_WITHIN, message: `after step ${step}` })
          .toEqual([]);
      }
    },
  );
});
