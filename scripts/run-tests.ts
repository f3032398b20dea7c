import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { type CliOptions, startVitest, type TestModule, type Vitest } from 'vitest/node';
import { endLeftovers } from './leftovers.ts';

/** A machine that others use as well is now and then too slow for one of thousands of tests. Each such test is named. */
const RETRIES_IN_CI = 2;

/** Tests that take long and seldom break: of other programs, of large pages, of many at once. */
const NIGHTLY_FILES = '**/*.nightly.test.ts';

/** The outcome of a test run. */
export interface TestCounts {
  readonly passed: number;
  /** Failed tests, files that did not load, errors outside of tests, and what was left behind. */
  readonly failed: number;
  readonly skipped: number;
}

/** The line that ends every run: `12 passed, 0 failed`, with `, 3 skipped` when there are any. */
export function summaryLine({ passed, failed, skipped }: TestCounts): string {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
}

/** Which tests run. */
export interface TestChoice extends CliOptions {
  /** Those too that not every change runs; those that a word chooses run anyway. Default false. */
  readonly withNightly?: boolean;
  /** Gets the files with their results before the run is closed. */
  readonly onEnd?: (modules: readonly TestModule[]) => void;
}

/**
 * Runs the tests whose path holds one of the words; without words those of every change. They run with a temporary folder of
 * their own, so that a browser or a profile that outlives them can be told from everybody else's; each counts
 * as one failure.
 */
export async function runTests(
  words: readonly string[],
  { withNightly = false, onEnd, ...settings }: TestChoice = {},
): Promise<TestCounts> {
  // A short name: browsers make sockets far below it, whose paths have at most 107 characters.
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
  for (const name of unsteady) console.log(`passed only when it was tried again: ${name}`);
  for (const name of begunAgain) console.log(`run a second time, because its process or a hook broke off: ${name}`);
  await vitest.close();
  if (counts.passed + counts.failed === 0) console.log('no test ran');
  const leftovers = await endLeftovers(folder);
  for (const leftover of leftovers) console.log(`left behind by the tests: ${leftover}`);
  const failed = counts.failed + leftovers.length;
  // Whatever else vitest holds against the run (nothing to run, a coverage threshold) is a failure too.
  return { ...counts, failed: failed === 0 && process.exitCode ? 1 : failed };
}

/** Tests that failed at first, which is a fault to look for although the run counts as passed. */
function unsteadyTests({ state }: Vitest): string[] {
  return state
    .getTestModules()
    .flatMap((module) => [...module.children.allTests()])
    .filter((test) => test.diagnostic()?.flaky)
    .map((test) => `${test.module.relativeModuleId} > ${test.fullName}`);
}

/**
 * Runs the files once more that did not come to their end: a process that the system ended, a browser that did
 * not start for a hook. What a test found wrong is not tried here. Not when there are errors that no file has.
 */
async function runEndedFilesAgain(vitest: Vitest): Promise<string[]> {
  const broken = vitest.state.getTestModules().filter(brokeOff);
  const errors = vitest.state.getUnhandledErrors().filter((error) => !isEndOfWorker(error));
  if (broken.length === 0 || errors.length > 0) return [];
  const others = vitest.state.getTestModules().filter((module) => !brokeOff(module));
  const names = broken.map((module) => module.relativeModuleId);
  await vitest.runTestSpecifications(broken.map((module) => module.toTestSpecification()));
  // The first run has set it for the files that were run anew; the tests of the others count as they are.
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
    // A test that never came to its end ("pending") did not pass.
    failed: count('failed') + count('pending') + modules.filter(didNotLoad).length + state.getUnhandledErrors().length,
    skipped: count('skipped'),
  };
}

function didNotLoad(module: TestModule): boolean {
  return module.errors().length > 0 || module.children.size === 0;
}
