/** Bundles the in-page program into `src/generated/injected-source.ts`, as a string the library sends to the browser. */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';

const entry = fileURLToPath(new URL('../packages/chauffeur/src/injected/main.ts', import.meta.url));
const target = fileURLToPath(new URL('../packages/chauffeur/src/generated/injected-source.ts', import.meta.url));

export async function buildInjected(): Promise<void> {
  const bundle = await rolldown({ input: entry, platform: 'browser', tsconfig: false });
  const { output } = await bundle.generate({ format: 'iife', name: 'chauffeur', minify: true, comments: false });
  await bundle.close();
  await writeIfChanged(
    `/** The in-page program, built from \`src/injected\`; not edited by hand. */\n` +
      `export const injectedSource: string = ${JSON.stringify(`${output[0].code};globalThis.chauffeur=chauffeur;`)};\n`,
  );
}

async function writeIfChanged(text: string): Promise<void> {
  const current = await readFile(target, 'utf8').catch((): string => '');
  if (current === text) return;
  await mkdir(new URL('.', `file://${target}`), { recursive: true });
  await writeFile(target, text);
}

if (import.meta.main) await buildInjected();
