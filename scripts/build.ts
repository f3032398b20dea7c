/** Builds the library: the in-page program, then `dist/` from scratch. */
import { rm } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';
import { buildInjected } from './build-injected.ts';
import { runCommand } from './run-command.ts';

const packageFolder = fileURLToPath(new URL('../packages/chauffeur/', import.meta.url));
const source = `${packageFolder}src/`;

/** What is imported by its name, and the script that runs beside the browser in a process of its own. */
const entries = {
  index: `${source}index.ts`,
  testing: `${source}testing.ts`,
  watchdog: `${source}launch/watchdog.ts`,
};

/** A few files in place of hundreds: Node takes half the time to load them. What is imported on first use stays apart. */
async function bundle(): Promise<void> {
  const bundled = await rolldown({
    input: entries,
    platform: 'node',
    tsconfig: false,
    // The oldest Node.js that `engines` allows has no `using`; a helper that the bundler brings stands in for it.
    transform: { target: 'node22' },
    // What comes from a package stays an import.
    external: /^(?!@oxc-project\/runtime)[@a-z]/,
  });
  await bundled.write({ dir: `${packageFolder}dist`, format: 'esm', chunkFileNames: '[name].js', comments: false });
  await bundled.close();
}

await buildInjected();
await rm(`${packageFolder}dist`, { recursive: true, force: true });
const [{ code, output }] = await Promise.all([
  runCommand('tsc', ['-p', `${packageFolder}tsconfig.build.json`]),
  bundle(),
]);
process.stdout.write(output);
process.exitCode = code;
