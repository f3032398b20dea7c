import { readdir } from 'node:fs/promises';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { rows } from '../support/nightly-rows.ts';
import { childrenOf, isRunning, processesWith, profileOf, remainsOf } from '../support/processes.ts';
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

describe.each(rows(['SIGTERM', 'SIGKILL'], ['an uncaught exception', 'process.exit']))(
  'end of the parent by %s',
  (way) => {
    const opened = useEndedParent(way);

    // [spec: states.parent-exit, driver-options.keepAlive]
    it('removes a browser without keepAlive, its watchdog and its profile', async () => {
      await expect(expectNothingLeft(opened(), way)).resolves.toBeUndefined();
    });

    // [spec: states.parent-exit-keep-alive, driver-options.keepAlive]
    it('keeps a browser with keepAlive and its page, even after an attached driver closes', async () => {
      await expect(expectKept(opened(), way)).resolves.toBeUndefined();
    });
  },
);

describe('without keepAlive', () => {
  beforeEach(makeFolder);
  afterEach(removeFolder);

  // [spec: states.parent-exit]
  it('leaves nothing behind when the watchdog is killed before the parent', async () => {
    await using program = runProgram(new URL('./programs/end-somehow.ts', import.meta.url), ['end']);
    const { browser } = JSON.parse(await program.lineWith('"browser"')) as { browser: number };
    const profile = profileOf(browser);
    await program.lineWith('"urls"');
    const watchdogs = (): number[] => childrenOf(program.pid).filter((pid) => pid !== browser);
    const [first] = watchdogs();
    process.kill(first ?? 0, 'SIGKILL');
    await expect.poll(() => watchdogs().filter((pid) => pid !== first)).toHaveLength(1);
    await program.kill();
    await expect.poll(() => remainsOf(profile), GONE_WITHIN).toEqual([]);
  });

  it('leaves nothing behind when the parent exits during the launch', async () => {
    const program = runProgram(new URL('./programs/end-somehow.ts', import.meta.url), [
      'end',
      'an exit while it starts',
    ]);
    onTestFinished(() => program.kill());
    expect(await program.ended).toBe(3);
    await expect.poll(() => [...processesWith(programFolder()), ...childrenOf(program.pid)], GONE_WITHIN).toEqual([]);
    await expect.poll(() => readdir(programFolder()), GONE_WITHIN).toEqual([]);
  });

  it('closes the browser when the program handles SIGTERM', async () => {
    const program = runProgram(new URL('./programs/close-on-signal.ts', import.meta.url));
    onTestFinished(() => program.kill());
    const { browser } = JSON.parse(await program.lineWith('"browser"')) as { browser: number };
    const profile = profileOf(browser);
    await program.lineWith('ready');
    process.kill(program.pid, 'SIGTERM');
    expect(await program.ended).toBe(0);
    expect(remainsOf(profile)).toEqual([]);
  });
});

describe('program without pending work', () => {
  it.each(['close', 'force'])('exits after its last call: %s', async (mode) => {
    await using program = runProgram(new URL('./programs/end-by-itself.ts', import.meta.url), [mode]);
    await program.lineWith('done');
    await expect.poll(() => isRunning(program.pid), GONE_WITHIN).toBe(false);
    expect(await program.ended).toBe(0);
  });
});
