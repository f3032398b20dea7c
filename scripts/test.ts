/** Runs the tests, all or those whose path holds one of the given words: `npm test -- locator`. */
import { runTests, summaryLine } from './run-tests.ts';

const counts = await runTests(process.argv.slice(2));
console.log(summaryLine(counts));
process.exitCode = counts.failed === 0 ? 0 : 1;
