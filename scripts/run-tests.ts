import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { type CliOptions, startVitest, type TestCase, type TestModule, type TestSuite, type Vitest } from 'vitest/node';
import { endLeftovers } from './leftovers.ts';
import { quarantineOf } from './quarantine.ts';

/** Vitest projects that `npm test` runs. */
const EVERY_CHANGE = ['unit', 'browser'];

export interface TestCounts {
  readonly passed: number;
  /** Failed tests and suite hooks, files that did not load, errors outside of tests, and leftovers. */
  readonly failed: number;
  /** Skipped tests, and failed tests in quarantine. */
  readonly skipped: number;
}

/** Formats the last line of a run: `12 passed, 0 failed`, with `, 3 skipped` if there are any. */
export function summaryLine({ passed, failed, skipped }: TestCounts): string {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
}

export interface TestChoice extends CliOptions {
  /** Includes nightly tests. Explicitly chosen tests always run. Default: false. */
  readonly withNightly?: boolean;
  /** Called with all results before vitest closes. */
  readonly onEnd?: ((modules: readonly TestModule[]) => void) | undefined;
}

/**
 * Runs the tests whose path contains one of the words, by default the tests for every change. A temporary folder of the
 * run makes leftover browsers and profiles identifiable. Each leftover counts as one failure.
 */
export async function runTests(
  words: readonly string[],
  { withNightly = false, onEnd, ...settings }: TestChoice = {},
): Promise<TestCounts> {
  const start = performance.now();
  // A short name, because socket paths of browsers in this folder must not exceed 107 characters.
  const folder = await mkdtemp(join(tmpdir(), 'ct-'));
  process.env['TMPDIR'] = folder;
  // Tables of tests have rows that do not run on every change, see `nightly-rows.ts`.
  if (withNightly || words.length > 0) process.env['TEST_ROWS'] = 'all';
  const vitest = await startVitest([...words], {
    watch: false,
    project: withNightly || words.length > 0 ? [] : EVERY_CHANGE,
    ...settings,
  });
  // No test ran, or a coverage threshold was missed.
  const failedOtherwise =
    process.exitCode && vitest.state.getTestModules().every((module) => module.ok()) && countsOf(vitest).failed === 0;
  const flaky = flakyTests(vitest);
  const repeated = process.env['CI'] ? await repeatBrokenFiles(vitest) : [];
  const counts = countsOf(vitest);
  onEnd?.(vitest.state.getTestModules());
  for (const name of flaky) console.log(`flaky, passed on the second try: ${name}`);
  for (const { name, reason } of quarantinedFailures(vitest)) console.log(`in quarantine, failed: ${name} (${reason})`);
  for (const name of repeated) console.log(`ran again because its process or a hook failed: ${name}`);
  await vitest.close();
  if (counts.passed + counts.failed === 0) console.log('no test ran');
  const leftovers = await endLeftovers(folder);
  for (const leftover of leftovers) console.log(`left behind by the tests: ${leftover}`);
  console.log(`took ${durationText(performance.now() - start)}`);
  return { ...counts, failed: counts.failed + leftovers.length + (failedOtherwise ? 1 : 0) };
}

/** For example `1 min 15 s`. */
function durationText(milliseconds: number): string {
  const seconds = Math.round(milliseconds / 1000);
  return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

/** Returns tests that failed at first and passed in a retry. They need a fix although the run counts as passed. */
function flakyTests(vitest: Vitest): string[] {
  return testsOf(vitest)
    .filter((test) => test.diagnostic()?.flaky)
    .map(nameOf);
}

function quarantinedFailures(vitest: Vitest): { readonly name: string; readonly reason: string }[] {
  return testsOf(vitest)
    .filter(isQuarantinedFailure)
    .map((test) => ({ name: nameOf(test), reason: quarantineOf(nameOf(test))?.reason ?? '' }));
}

function isQuarantinedFailure(test: TestCase): boolean {
  return test.result().state === 'failed' && quarantineOf(nameOf(test)) !== undefined;
}

function testsOf({ state }: Vitest): TestCase[] {
  return state.getTestModules().flatMap((module) => [...module.children.allTests()]);
}

function nameOf(test: TestCase): string {
  return `${test.module.relativeModuleId} > ${test.fullName}`;
}

/**
 * Repeats files that did not finish, for example because a process was killed or a browser did not start for a hook.
 * Errors outside of files prevent the repetition.
 */
async function repeatBrokenFiles(vitest: Vitest): Promise<string[]> {
  const broken = vitest.state.getTestModules().filter(isBroken);
  const errors = vitest.state.getUnhandledErrors().filter((error) => !isEndOfWorker(error));
  if (broken.length === 0 || errors.length > 0) return [];
  await vitest.runTestSpecifications(broken.map((module) => module.toTestSpecification()));
  return broken.map((module) => module.relativeModuleId);
}

function isBroken(module: TestModule): boolean {
  const isUnfinished = [...module.children.allTests()].some((test) => test.result().state === 'pending');
  return isUnfinished || didNotLoad(module) || brokenSuites(module).length > 0;
}

function isEndOfWorker(error: unknown): boolean {
  return inspect(error).includes('Worker exited unexpectedly');
}

function countsOf(vitest: Vitest): TestCounts {
  const { state } = vitest;
  const modules = state.getTestModules();
  const states = testsOf(vitest).map((test) => (isQuarantinedFailure(test) ? 'skipped' : test.result().state));
  const count = (wanted: string): number => states.filter((seen) => seen === wanted).length;
  const broken = modules.filter(didNotLoad).length + modules.flatMap(brokenSuites).length;
  return {
    passed: count('passed'),
    // "Pending" tests never finished.
    failed: count('failed') + count('pending') + broken + state.getUnhandledErrors().length,
    skipped: count('skipped'),
  };
}

function didNotLoad(module: TestModule): boolean {
  return module.errors().length > 0 || module.children.size === 0;
}

/** Suites with a failed hook. */
function brokenSuites(module: TestModule): TestSuite[] {
  return [...module.children.allSuites()].filter((suite) => suite.errors().length > 0);
}
