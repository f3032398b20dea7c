/**
 * Runs the tests of the verbs with browsers that are rented from a platform instead of started by each driver:
 * `npm run verbs -- remote`, `npm run verbs -- grid`. Words after that choose among them, as with `npm test`.
 */
import { runTests, summaryLine } from './run-tests.ts';

/** The verbs, what is kept of them, and tasks of several steps. */
const TOPICS = ['act/', 'observe/', 'extract/', 'cache/', 'agent/', 'spec/verbs'];
/** Behind a Grid of this machine everything waits for programs in Java, which have two processors to share with the browsers. */
const SETTINGS = { testTimeout: 120_000, hookTimeout: 120_000 };

const [where = '', ...words] = process.argv.slice(2);
if (where !== 'remote' && where !== 'grid') {
  console.error('Say where the browsers are to come from: npm run verbs -- remote, or npm run verbs -- grid.');
  process.exit(1);
}
process.env['CHAUFFEUR_TEST_ENV'] = where.toUpperCase();
const tests = words.length > 0 ? words : TOPICS.map((topic) => `packages/pagechauffeur/test/${topic}`);
const counts = await runTests(tests, SETTINGS);
console.log(summaryLine(counts));
process.exitCode = counts.failed === 0 ? 0 : 1;
