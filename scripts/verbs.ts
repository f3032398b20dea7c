/**
 * Runs the tests of the verbs with browsers from a platform instead of local ones: `npm run verbs -- remote`, `npm run
 * verbs -- grid`. Further words choose tests, as with `npm test`.
 */
import { runTests, summaryLine } from './run-tests.ts';

/** Verbs, their caches, and agents. */
const TOPICS = ['act/', 'observe/', 'extract/', 'cache/', 'agent/', 'spec/verbs'];
/** A local Grid consists of Java programs, which share two CPUs with the browsers. */
const SETTINGS = { testTimeout: 120_000, hookTimeout: 120_000 };

const [where = '', ...words] = process.argv.slice(2);
if (where !== 'remote' && where !== 'grid') {
  console.error('Pass where the browsers come from: npm run verbs -- remote, or npm run verbs -- grid.');
  process.exit(1);
}
process.env['CHAUFFEUR_TEST_ENV'] = where.toUpperCase();
const tests = words.length > 0 ? words : TOPICS.map((topic) => `packages/pagechauffeur/test/${topic}`);
const counts = await runTests(tests, SETTINGS);
console.log(summaryLine(counts));
process.exitCode = counts.failed === 0 ? 0 : 1;
