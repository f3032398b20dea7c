import { execFile } from 'node:child_process';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { startChromium } from '../chromium.ts';
import type { Library } from '../library.ts';

const { version } = createRequire(import.meta.url)('agent-browser/package.json') as { version: string };
const program = fileURLToPath(new URL('../node_modules/agent-browser/bin/agent-browser.js', import.meta.url));
const session = `chauffeur-bench-${process.pid}`;

/** The methods that the token benchmark calls. */
export type TextLibrary = Pick<Library, 'name' | 'version' | 'goto' | 'snapshot' | 'wholeSnapshot'>;

/** Starts a Chromium and connects agent-browser to it. */
export async function openAgentBrowser(): Promise<TextLibrary & AsyncDisposable> {
  const chromium = await startChromium();
  await run('connect', new URL(chromium.url).port);
  return {
    name: 'agent-browser',
    version,
    goto: (url) => run('open', url),
    snapshot: () => run('snapshot'),
    [Symbol.asyncDispose]: async () => {
      await run('close');
      await chromium[Symbol.asyncDispose]();
    },
  };
}

async function run(...words: string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(process.execPath, [program, '--session', session, ...words], {
    maxBuffer: 2 ** 28,
  });
  return stdout;
}
