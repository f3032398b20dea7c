import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { rolldown } from 'rolldown';
import { packageDirectory } from '../../../../apps/http-app.ts';

/** A file of one of the packages that only `apps/` has. */
export function fileOf(name: string, path: string): string {
  return readFileSync(join(packageDirectory(name), path), 'utf8');
}

/** One script for pages, from a module that may import files and packages of `apps/`. */
export async function bundled(entry: string): Promise<string> {
  const bundle = await rolldown({
    input: 'entry',
    cwd: packageDirectory('.'),
    platform: 'browser',
    transform: { define: { 'process.env.NODE_ENV': '"production"' } },
    plugins: [
      {
        name: 'entry',
        resolveId: (id: string) => (id === 'entry' ? join(packageDirectory('.'), 'entry.js') : null),
        load: (id: string) => (id.endsWith('entry.js') ? entry : null),
      },
    ],
  });
  const { output } = await bundle.generate({ format: 'iife' });
  await bundle.close();
  return output[0].code;
}

/** React comes as modules alone; a page gets it as two globals. */
export function bundledReact(): Promise<string> {
  return bundled(
    `import * as React from 'react'; import { createRoot } from 'react-dom/client'; Object.assign(globalThis, { React, createRoot });`,
  );
}
