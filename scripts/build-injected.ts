/** Bundles the injected script into `src/generated/injected-source.ts`, as a string for the browser. */
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';
import { writeIfChanged } from './write-if-changed.ts';

const entry = fileURLToPath(new URL('../packages/pagechauffeur/src/injected/main.ts', import.meta.url));
const target = fileURLToPath(new URL('../packages/pagechauffeur/src/generated/injected-source.ts', import.meta.url));

export async function buildInjected(): Promise<void> {
  const bundle = await rolldown({ input: entry, platform: 'browser', tsconfig: false });
  const { output } = await bundle.generate({ format: 'iife', name: 'chauffeur', minify: true, comments: false });
  await bundle.close();
  await writeIfChanged(
    target,
    `/** The injected script, built from \`src/injected\`. Do not edit. */\n` +
      `export const injectedSource: string = ${JSON.stringify(`${output[0].code};globalThis.chauffeur=chauffeur;`)};\n`,
  );
}

if (import.meta.main) await buildInjected();
