import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { LongestFirst } from './scripts/longest-first.ts';
import { testEnvironment } from './scripts/test-environment.ts';

const UNIT_FILES = ['packages/*/src/**/*.test.ts', 'packages/*/test/**/*.unit.test.ts', 'scripts/**/*.test.ts'];
const NIGHTLY_FILES = 'packages/*/test/**/*.nightly.test.ts';

export default defineConfig({
  // The platform is tested on the library's sources, not on what was built of them.
  resolve: { alias: { 'pagechauffeur/internal': join(import.meta.dirname, 'packages/pagechauffeur/src/internal.ts') } },
  test: {
    globalSetup: ['scripts/vitest-setup.ts'],
    setupFiles: ['packages/pagechauffeur/test/support/leak-check.ts'],
    pool: 'forks',
    // A process for each file would take a third of a second more per file. What a file leaves behind fails it: leak-check.ts.
    isolate: false,
    // What tests start (programs, and a watchdog beside each browser) is TypeScript, which is compiled once.
    env: { NODE_COMPILE_CACHE: join(import.meta.dirname, 'node_modules/.cache/compiled'), ...testEnvironment() },
    // Two processors have work for four, because tests wait for browsers.
    maxWorkers: 4,
    sequence: { sequencer: LongestFirst },
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // What is waited for comes at once; on a busy machine that may take seconds.
    expect: { poll: { timeout: 10_000 } },
    projects: [
      // Nothing that a unit test does starts a browser.
      { extends: true, test: { name: 'unit', include: UNIT_FILES, env: { CHROME_PATH: '/no-browser-in-unit-tests' } } },
      {
        extends: true,
        test: {
          name: 'browser',
          include: ['packages/*/test/**/*.test.ts'],
          exclude: [...UNIT_FILES, NIGHTLY_FILES],
          // On a busy machine one of thousands of tests is too slow now and then. `npm test` names those that needed it.
          retry: process.env['CI'] ? 1 : 0,
        },
      },
      // Slow tests that rarely fail: of other programs, of large pages, of many at once.
      { extends: true, test: { name: 'nightly', include: [NIGHTLY_FILES] } },
    ],
  },
});
