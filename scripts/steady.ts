/**
 * Repeats the tests of the browser engine and counts failures: `npm run steady -- 20`. Words after the number choose
 * other tests, as with `npm test`. Run this on a busy machine to find unstable tests.
 */
import { stripVTControlCharacters } from 'node:util';
import { runCommand } from './run-command.ts';

const ROUNDS = 20;
/** Everything below the verbs: folders of `packages/pagechauffeur/test`. */
const TOPICS = [
  'bad-input',
  'cdp',
  'context',
  'driver',
  'errors',
  'evaluate',
  'events',
  'foreign-pages',
  'frames',
  'hostile',
  'injected',
  'input',
  'launch',
  'locator',
  'navigation',
  'network',
  'odd-pages',
  'page',
  'response',
  'screenshot',
  'undetected',
  'waiting',
];
/** Matches the tests that failed for one reason, and the first two lines of the reason. */
const FAILED_TESTS = /((?:^\s*FAIL\s+.+\n)+)(.*\n.*)/gm;

const [rounds = ROUNDS, ...words] = process.argv.slice(2);
const tests = words.length > 0 ? words : TOPICS.map((topic) => `packages/pagechauffeur/test/${topic}/`);
const failures = new Map<string, number>();
for (let round = 1; round <= Number(rounds); round += 1) await runRound(round);
for (const [name, times] of failures) console.log(`failed ${times} of ${rounds} times: ${name}`);
console.log(failures.size === 0 ? `steady in ${rounds} rounds` : `${failures.size} tests failed in ${rounds} rounds`);
process.exitCode = failures.size === 0 ? 0 : 1;

async function runRound(round: number): Promise<void> {
  const start = performance.now();
  const { code, output } = await runCommand(process.execPath, ['scripts/test.ts', ...tests]);
  const plain = stripVTControlCharacters(output).trimEnd();
  const failed = new Map(
    [...plain.matchAll(FAILED_TESTS)].flatMap(([, names = '', reason = '']) =>
      [...names.matchAll(/FAIL\s+(.+)/g)].map(([, name = '']) => [name, reason]),
    ),
  );
  // Other failures, such as leftovers or files that did not load, are in the last lines.
  if (code !== 0 && failed.size === 0) failed.set(plain.split('\n').slice(-10).join('\n'), '');
  for (const [name, reason] of failed) {
    console.log(`  failed: ${name}\n    ${reason}`);
    failures.set(name, (failures.get(name) ?? 0) + 1);
  }
  const seconds = Math.round((performance.now() - start) / 1000);
  console.log(`round ${round}: ${plain.split('\n').at(-1)}, ${seconds} s`);
}
