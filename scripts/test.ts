/**
 * Runs the tests for every change, or those whose path contains one of the words: `npm test -- locator`.
 * `--nightly` includes `*.nightly.test.ts`: other programs, large pages, many sessions at the same time. Nightly runs and
 * runs of chosen tests include all rows of test tables.
 * `--record` writes the durations of test files to `test-durations.json`, which decides their order.
 * `npm run test:nightly -- security` runs the attacks in `docs/security.md` and prints a line for each;
 * `-- security tenant network` runs those whose rows contain one of the words.
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
