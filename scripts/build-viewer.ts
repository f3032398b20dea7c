/** Bundles the dashboard into `src/generated/viewer-files.ts`, as strings that the server sends. */
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';
import { writeIfChanged } from './write-if-changed.ts';

const source = fileURLToPath(new URL('../packages/platform/src/viewer/', import.meta.url));
const target = fileURLToPath(new URL('../packages/platform/src/generated/viewer-files.ts', import.meta.url));

export async function buildViewer(): Promise<void> {
  const bundle = await rolldown({ input: `${source}main.ts`, platform: 'browser', tsconfig: false });
  const { output } = await bundle.generate({ format: 'esm', minify: true, comments: false });
  await bundle.close();
  const [html, css, icon] = await Promise.all(
    ['index.html', 'viewer.css', 'icon.svg'].map((name) => readFile(source + name, 'utf8')),
  );
  await writeIfChanged(
    target,
    `/** The dashboard, built from \`src/viewer\`. Do not edit. */\n` +
      `export const viewerFiles = ${JSON.stringify({ html, css, icon, script: output[0].code })};\n`,
  );
}

if (import.meta.main) await buildViewer();
