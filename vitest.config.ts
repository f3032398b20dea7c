import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { LongestFirst } from './scripts/longest-first.ts';
import { testEnvironment } from './scripts/test-environment.ts';

const UNIT_FILES = ['packages/*/src/**/*.test.ts', 'packages/*/test/**/*.unit.test.ts', 'scripts/**/*.test.ts'];
const NIGHTLY_FILES = 'packages/*/test/**/*.nightly.test.ts';

export default defineConfig({
  // Platform tests use the library's sources, not its build.
  resolve: { alias: { 'pagechauffeur/internal': join(import.meta.dirname, 'packages/pagechauffeur/src/internal.ts') } },
  test: {
    globalSetup: ['scripts/vitest-setup.ts'],
    setupFiles: ['packages/pagechauffeur/test/support/leak-check.ts'],
    pool: 'forks',
    // A process per file would add a third of a second to each file. leak-check.ts fails files that leave something behind.
    isolate: false,
    // Programs and watchdogs that tests start are TypeScript, which is compiled once.
    env: { NODE_COMPILE_CACHE: join(import.meta.dirname, 'node_modules/.cache/compiled'), ...testEnvironment() },
    // Four workers keep two processors busy, because tests wait for browsers.
    maxWorkers: 4,
    sequence: { sequencer: LongestFirst },
    // Tests that run at the same time within a file wait in vain for elements, which costs no processor time.
    maxConcurrency: 10,
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // Most waits end at once, but on a busy machine they can take seconds.
    expect: { poll: { timeout: 10_000 } },
    projects: [
      // Unit tests start no browser.
      { extends: true, test: { name: 'unit', include: UNIT_FILES, env: { CHROME_PATH: '/no-browser-in-unit-tests' } } },
      {
        extends: true,
        test: {
          name: 'browser',
          include: ['packages/*/test/**/*.test.ts'],
          exclude: [...UNIT_FILES, NIGHTLY_FILES],
          // On a busy machine, one of thousands of tests is occasionally too slow. `npm test` lists the retried ones.
          retry: process.env['CI'] ? 1 : 0,
        },
      },
      // Slow tests that rarely fail: other programs, large pages, many sessions at once.
      { extends: true, test: { name: 'nightly', include: [NIGHTLY_FILES] } },
    ],
  },
});
