import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '../../../..');

/** The TypeScript of a page that stands on its own: blocks that import what they use. */
function wholeScripts(markdown: string): string[] {
  return [...markdown.matchAll(/```ts\n([\s\S]*?)```/g)]
    .map(([, code = '']) => code)
    .filter((code) => code.includes("from 'chauffeur"));
}

test('the scripts in the README and the docs compile as they stand, under strict rules', async () => {
  const docs = (await readdir(join(root, 'docs')))
    .filter((name) => name.endsWith('.md'))
    .map((name) => join('docs', name));
  const folder = await mkdtemp(join(root, 'packages/chauffeur/test/docs/compiled-'));
  try {
    let count = 0;
    for (const page of ['README.md', ...docs]) {
      for (const code of wholeScripts(await readFile(join(root, page), 'utf8'))) {
        count += 1;
        await writeFile(join(folder, `${page.replaceAll(/\W/g, '-')}-${count}.ts`), code);
      }
    }
    expect(count).toBeGreaterThan(0);
    await writeFile(
      join(folder, 'tsconfig.json'),
      JSON.stringify({ extends: join(root, 'tsconfig.base.json'), include: ['*.ts'] }),
    );
    const { stdout } = await promisify(execFile)(process.execPath, [
      join(root, 'node_modules/typescript/bin/tsc'),
      '-p',
      folder,
    ]).catch((error: unknown) => error as { stdout: string });
    expect(stdout).toBe('');
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
