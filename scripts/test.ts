/**
 * Runs the tests of every change, `npm test`, or those whose path holds one of the given words: `npm test -- locator`.
 * With `--nightly` all tests, those too that a file `….nightly.test.ts` has: other programs, large pages, many at once.
 * `npm run test:nightly -- security` runs the attacks that `docs/security.md` lists and prints a line for each;
 * `-- security tenant network` runs those whose lines hold one of the words.
 * `--record` writes the durations of the files that ran to `test-durations.json`, which decides their order.
 */
import { runTests, summaryLine } from './run-tests.ts';
import { runAttacks } from './security.ts';
import { recordDurations } from './test-durations.ts';

const given = process.argv.slice(2);
const words = given.filter((word) => !word.startsWith('--'));
const withNightly = given.includes('--nightly');
const onEnd = given.includes('--record') ? recordDurations : undefined;
const isAboutAttacks = withNightly && words[0] === 'security';
const counts = await (isAboutAttacks ? runAttacks(words.slice(1)) : runTests(words, { withNightly, onEnd }));
console.log(summaryLine(counts));
process.exitCode = counts.failed === 0 ? 0 : 1;
