/**
 * Runs the tests of every change, `npm test`, or those whose path holds one of the given words: `npm test -- locator`.
 * With `--nightly` all tests, those too that a file `….nightly.test.ts` has: other programs, large pages, many at once.
 */
import { runTests, summaryLine } from './run-tests.ts';

const given = process.argv.slice(2);
const words = given.filter((word) => word !== '--nightly');
const counts = await runTests(words, { withNightly: given.includes('--nightly') });
console.log(summaryLine(counts));
process.exitCode = counts.failed === 0 ? 0 : 1;
