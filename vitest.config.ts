import { join } from 'node:path';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

// Processes that tests start (guards of browsers, programs on the library) find their sources compiled.
process.env['NODE_COMPILE_CACHE'] ??= join(import.meta.dirname, 'node_modules/.cache/compiled');

export default defineConfig({
  test: {
    include: ['packages/*/test/**/*.test.ts', 'packages/*/src/**/*.test.ts', 'scripts/**/*.test.ts'],
    globalSetup: ['scripts/vitest-setup.ts'],
    setupFiles: ['packages/chauffeur/test/support/leak-check.ts'],
    pool: 'forks',
    // One process after the other for each file would take a third of a second more per file. What a file leaves behind
    // fails it: see leak-check.ts.
    isolate: false,
    // What tests start (programs, and a watchdog beside each browser) is TypeScript, which is compiled once.
    env: { NODE_COMPILE_CACHE: join(import.meta.dirname, 'node_modules/.cache/compiled') },
    // Two processors have work for three, because tests wait for browsers.
    maxWorkers: 3,
    testTimeout: 30_000,
    hookTimeout: 30_000,
    // What is waited for comes at once; on a busy machine that may take seconds.
    expect: { poll: { timeout: 10_000 } },
  },
});
