/** Builds the library: the in-page program, then `dist/` from scratch. */
import { rm } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { buildInjected } from './build-injected.ts';
import { runCommand } from './run-command.ts';

const packageFolder = fileURLToPath(new URL('../packages/chauffeur/', import.meta.url));

await buildInjected();
await rm(`${packageFolder}dist`, { recursive: true, force: true });
const { code, output } = await runCommand('tsc', ['-p', `${packageFolder}tsconfig.build.json`]);
process.stdout.write(output);
process.exitCode = code;
