import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { packageFaults } from './check-package.ts';

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'package-'));
});

afterEach(async () => {
  await rm(folder, { recursive: true });
});

const goodManifest = {
  name: 'small-package',
  version: '1.0.0',
  type: 'module',
  license: 'MIT',
  engines: { node: '>=22' },
  files: ['dist'],
  exports: { '.': { types: './dist/index.d.ts', default: './dist/index.js' } },
};

const goodFiles = {
  'dist/index.js': 'import { two } from "./two.js";\nexport const one = two - 1;\n',
  'dist/index.d.ts': 'import type { Two } from "./two.ts";\nexport declare const one: Two;\n',
  'dist/two.js': 'export const two = 2;\n',
  'dist/two.d.ts': 'export type Two = number;\nexport declare const two: Two;\n',
};

async function faultsOf(manifest: object, files: Record<string, string>): Promise<string[]> {
  const all = { 'package.json': JSON.stringify(manifest), ...files };
  for (const [path, text] of Object.entries(all)) {
    await mkdir(join(folder, dirname(path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
  return packageFaults(folder);
}

it('accepts an ESM package whose declarations import with .ts', async () => {
  expect(await faultsOf(goodManifest, goodFiles)).toEqual([]);
});

it('reports an entry whose file is not published', async () => {
  const exports = { ...goodManifest.exports, './extra': './dist/extra.js' };
  const faults = await faultsOf({ ...goodManifest, exports }, goodFiles);
  expect(faults.join('\n')).toMatch(/extra\.js.*does not exist/);
});

it('reports declarations that import a missing file', async () => {
  const files = {
    ...goodFiles,
    'dist/index.d.ts': 'import type { Two } from "./gone.ts";\nexport declare const one: Two;\n',
  };
  expect((await faultsOf(goodManifest, files)).join('\n')).toContain('InternalResolutionError');
});

it('reports an entry that throws on import', async () => {
  const files = { ...goodFiles, 'dist/two.js': 'export const three = 3;\n' };
  expect((await faultsOf(goodManifest, files)).join('\n')).toMatch(/import 'small-package' fails/);
});

it('reports declarations that import packages that are not dependencies', async () => {
  const types = 'import type { WebSocket } from "ws";\nimport type { Two } from "./two.ts";\n';
  const files = { ...goodFiles, 'dist/index.d.ts': `${types}export declare const one: Two | WebSocket;\n` };
  expect(await faultsOf(goodManifest, files)).toEqual([
    'Types: ws is no dependency of small-package',
    'Types: @types/ws is no dependency of small-package',
  ]);
  const dependencies = { ws: '^8.0.0', '@types/ws': '^8.0.0' };
  expect(await faultsOf({ ...goodManifest, dependencies }, files)).toEqual([]);
});
