/** Checks that every change must pass: static checks, then tests. The last line counts both. */
import { runChecks } from './check.ts';
import { runTests, summaryLine } from './run-tests.ts';

const checks = await runChecks();
const tests = await runTests([]);
const failed = checks.failed + tests.failed;
console.log(`checks: ${checks.passed} passed, ${checks.failed} failed`);
console.log(`tests: ${summaryLine(tests)}`);
console.log(summaryLine({ passed: checks.passed + tests.passed, failed, skipped: tests.skipped }));
process.exitCode = failed === 0 ? 0 : 1;
