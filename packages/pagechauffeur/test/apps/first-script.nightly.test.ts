import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findBrowser } from '../../src/launch/find-browser.ts';

const run = promisify(execFile);
const root = join(import.meta.dirname, '../../../..');
const NPM = ['--no-audit', '--no-fund', '--prefer-offline', '--loglevel=error'];
const INSTALL_TIMEOUT = 240_000;

let folder: string;

/** Installs what npm would publish in an empty folder outside the repository. */
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'first-'));
  await run('npm', ['pack', join(root, 'packages/pagechauffeur'), '--pack-destination', folder, ...NPM]);
  await writeFile(join(folder, 'package.json'), JSON.stringify({ private: true, type: 'module' }));
  const { version } = JSON.parse(await readFile(join(root, 'packages/pagechauffeur/package.json'), 'utf8')) as {
    version: string;
  };
  const packages = [`./pagechauffeur-${version}.tgz`, `zod@${await lockedVersion('zod')}`];
  await run('npm', ['install', ...packages, ...NPM], { cwd: folder });
}, INSTALL_TIMEOUT);

afterAll(async () => rm(folder, { recursive: true, force: true }));

async function lockedVersion(name: string): Promise<string> {
  const manifest = await readFile(join(root, 'node_modules', name, 'package.json'), 'utf8');
  return (JSON.parse(manifest) as { version: string }).version;
}

test.each(['README.md', 'packages/pagechauffeur/README.md'])(
  'first script of %s type-checks and runs unchanged with the packed package',
  { timeout: INSTALL_TIMEOUT },
  async (page) => {
    const [, script = ''] = /```ts\n(.*?)```/s.exec(await readFile(join(root, page), 'utf8')) ?? [];
    expect(script).toContain("from 'pagechauffeur'");
    await writeFile(join(folder, 'first.ts'), script);
    const settings = { module: 'nodenext', strict: true, noEmit: true, skipLibCheck: true };
    await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions: settings, files: ['first.ts'] }));
    const compiler = join(root, 'node_modules/typescript/bin/tsc');
    const types = ['--typeRoots', join(root, 'node_modules/@types'), '--types', 'node'];
    await run(process.execPath, [compiler, '-p', folder, ...types]);
    const { stdout } = await run(process.execPath, ['first.ts'], { cwd: folder });
    expect(stdout).toContain('changed Cart: Blue mug');
    expect(stdout).toContain("{ article: 'Blue mug', price: 12.5 }");
  },
);

test('packed package provides the command `npx pagechauffeur install`', { timeout: INSTALL_TIMEOUT }, async () => {
  const env = { ...process.env, PATH: `${dirname(process.execPath)}:${process.env['PATH'] ?? ''}` };
  const { stdout } = await run('npx', ['--no', 'pagechauffeur', 'install'], { cwd: folder, env });
  expect(stdout.trim()).toBe(findBrowser());
});
