import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { type CliOptions, startVitest, type TestModule, type Vitest } from 'vitest/node';
import { endLeftovers } from './leftovers.ts';

/** A shared machine is sometimes too slow for one of thousands of tests. Each retried test is named. */
const RETRIES_IN_CI = 2;

/** Slow tests that rarely fail: of other programs, of large pages, of many at once. */
const NIGHTLY_FILES = '**/*.nightly.test.ts';

/** Outcome of a test run. */
export interface TestCounts {
  readonly passed: number;
  /** Failed tests, files that did not load, errors outside of tests, and leftovers. */
  readonly failed: number;
  readonly skipped: number;
}

/** The last line of every run: `12 passed, 0 failed`, with `, 3 skipped` if there are any. */
export function summaryLine({ passed, failed, skipped }: TestCounts): string {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
}

/** Which tests run. */
export interface TestChoice extends CliOptions {
  /** Includes nightly tests. Tests chosen by a word run anyway. Default: false. */
  readonly withNightly?: boolean;
  /** Receives the files with their results before the run is closed. */
  readonly onEnd?: (modules: readonly TestModule[]) => void;
}

/**
 * Runs the tests whose path contains one of the words, or the tests for every change. They get their own temporary
 * folder, so that
 * leftover browsers and profiles can be identified. Each leftover counts as one failure.
 */
export async function runTests(
  words: readonly string[],
  { withNightly = false, onEnd, ...settings }: TestChoice = {},
): Promise<TestCounts> {
  // A short name: browsers create sockets deep below it, whose paths have at most 107 characters.
  const folder = await mkdtemp(join(tmpdir(), 'ct-'));
  process.env['TMPDIR'] = folder;
  const vitest = await startVitest([...words], {
    watch: false,
    retry: process.env['CI'] ? RETRIES_IN_CI : 0,
    exclude: withNightly || words.length > 0 ? [] : [NIGHTLY_FILES],
    ...settings,
  });
  const unsteady = unsteadyTests(vitest);
  const begunAgain = process.env['CI'] ? await runEndedFilesAgain(vitest) : [];
  const counts = countsOf(vitest);
  onEnd?.(vitest.state.getTestModules());
  for (const name of unsteady) console.log(`passed only after a retry: ${name}`);
  for (const name of begunAgain) console.log(`ran again because its process or a hook failed: ${name}`);
  await vitest.close();
  if (counts.passed + counts.failed === 0) console.log('no test ran');
  const leftovers = await endLeftovers(folder);
  for (const leftover of leftovers) console.log(`left behind by the tests: ${leftover}`);
  const failed = counts.failed + leftovers.length;
  // Other failures of vitest (no tests, a coverage threshold) count too.
  return { ...counts, failed: failed === 0 && process.exitCode ? 1 : failed };
}

/** Tests that failed at first. They need a fix although the run counts as passed. */
function unsteadyTests({ state }: Vitest): string[] {
  return state
    .getTestModules()
    .flatMap((module) => [...module.children.allTests()])
    .filter((test) => test.diagnostic()?.flaky)
    .map((test) => `${test.module.relativeModuleId} > ${test.fullName}`);
}

/**
 * Runs files again that did not finish: a killed process, or a browser that did not start for a hook. Failed assertions
 * are not
 * retried. Skipped if there are errors outside of files.
 */
async function runEndedFilesAgain(vitest: Vitest): Promise<string[]> {
  const broken = vitest.state.getTestModules().filter(brokeOff);
  const errors = vitest.state.getUnhandledErrors().filter((error) => !isEndOfWorker(error));
  if (broken.length === 0 || errors.length > 0) return [];
  const others = vitest.state.getTestModules().filter((module) => !brokeOff(module));
  const names = broken.map((module) => module.relativeModuleId);
  await vitest.runTestSpecifications(broken.map((module) => module.toTestSpecification()));
  // The first run set it for the files that ran again. The other files' results count as they are.
  if (others.every((module) => module.ok()) && countsOf(vitest).failed === 0) process.exitCode = 0;
  return names;
}

function brokeOff(module: TestModule): boolean {
  const suites = [...module.children.allSuites()];
  const isUnfinished = [...module.children.allTests()].some((test) => test.result().state === 'pending');
  return isUnfinished || didNotLoad(module) || suites.some((suite) => suite.errors().length > 0);
}

function isEndOfWorker(error: unknown): boolean {
  return inspect(error).includes('Worker exited unexpectedly');
}

function countsOf({ state }: Vitest): TestCounts {
  const modules = state.getTestModules();
  const states = modules.flatMap((module) => [...module.children.allTests()].map((test) => test.result().state));
  const count = (wanted: string): number => states.filter((seen) => seen === wanted).length;
  return {
    passed: count('passed'),
    // A test that never finished ("pending") did not pass.
    failed: count('failed') + count('pending') + modules.filter(didNotLoad).length + state.getUnhandledErrors().length,
    skipped: count('skipped'),
  };
}

function didNotLoad(module: TestModule): boolean {
  return module.errors().length > 0 || module.children.size === 0;
}
