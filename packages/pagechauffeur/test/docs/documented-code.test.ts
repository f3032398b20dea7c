import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import * as pagechauffeur from '../../src/index.ts';
import { publicClasses } from '../../src/page/public-classes.ts';

const root = join(import.meta.dirname, '../../../..');

/** The TypeScript of a page, as modules: some blocks import what they use, others go on from one that does. */
function scriptsIn(markdown: string): string[] {
  return [...markdown.matchAll(/```ts\n([\s\S]*?)```/g)].map(([, code = '']) => `${code}export {};\n`);
}

/** The examples in the doc comments of a source file, of classes and of their members. Each ends at the next tag or with its comment. */
function examplesIn(source: string): string[] {
  return [...source.matchAll(/^ *\* @example\n((?: *\* (?!@).*\n| *\*\n)+)/gm)].map(([, lines = '']) =>
    lines.replaceAll(/^ *\* ?/gm, ''),
  );
}

/** What the compiler says about files of these names and contents, under the rules of this repository. */
async function compile(scripts: Readonly<Record<string, string>>): Promise<string> {
  const folder = await mkdtemp(join(root, 'packages/pagechauffeur/test/docs/compiled-'));
  try {
    for (const [name, code] of Object.entries(scripts)) await writeFile(join(folder, name), code);
    const settings = { extends: join(root, 'tsconfig.base.json'), include: ['*.ts'] };
    await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(settings));
    const compiler = join(root, 'node_modules/typescript/bin/tsc');
    const compiled = promisify(execFile)(process.execPath, [compiler, '-p', folder]);
    return (await compiled.catch((error: unknown) => error as { stdout: string })).stdout;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** What stands for itself where the docs go on from an earlier script. */
const EARLIER = `
  declare const Driver: typeof import('pagechauffeur').Driver;
  declare const driver: import('pagechauffeur').Driver;
  declare const agent: import('pagechauffeur').Agent;
  declare const z: typeof import('zod').z;
`;

test('scripts of the READMEs and docs compile unchanged under strict settings', async () => {
  const docs = (await readdir(join(root, 'docs'))).filter((name) => name.endsWith('.md'));
  const scripts: Record<string, string> = { 'earlier.d.ts': EARLIER };
  for (const page of ['README.md', 'packages/pagechauffeur/README.md', ...docs.map((name) => join('docs', name))])
    for (const [index, code] of scriptsIn(await readFile(join(root, page), 'utf8')).entries())
      scripts[`${page.replaceAll(/\W/g, '-')}-${index}.ts`] = code;
  expect(Object.keys(scripts).length).toBeGreaterThan(30);
  expect(await compile(scripts)).toBe('');
});

/** What stands for itself in the examples of doc comments. */
const AMBIENT = `
  declare const Driver: typeof import('pagechauffeur').Driver;
  declare const DriverClosedError: typeof import('pagechauffeur').DriverClosedError;
  declare const ScriptedModel: typeof import('pagechauffeur/testing').ScriptedModel;
  declare const RecordingModel: typeof import('pagechauffeur/testing').RecordingModel;
  declare const refOf: typeof import('pagechauffeur/testing').refOf;
  declare const driver: import('pagechauffeur').Driver;
  declare const context: import('pagechauffeur').DriverContext;
  declare const page: import('pagechauffeur').Page;
  declare const locator: import('pagechauffeur').Locator;
  declare const agent: import('pagechauffeur').Agent;
  declare const z: typeof import('zod').z;
`;

const sourceFolder = join(root, 'packages/pagechauffeur/src');

/** The source files of the library by path. */
async function readSources(): Promise<ReadonlyMap<string, string>> {
  const paths = (await readdir(sourceFolder, { recursive: true })).filter((path) => path.endsWith('.ts'));
  return new Map(
    await Promise.all(paths.map(async (path) => [path, await readFile(join(sourceFolder, path), 'utf8')] as const)),
  );
}

test('doc comments of all public classes have an example, and all doc comment examples compile', async () => {
  const scripts: Record<string, string> = { 'ambient.d.ts': AMBIENT };
  const explained = new Set<string>();
  for (const [path, text] of await readSources()) {
    for (const [, name = ''] of text.matchAll(/@example\n(?: \*.*\n)+? \*\/\nexport class (\w+)/g)) explained.add(name);
    const examples = examplesIn(text);
    expect({ path, examples: examples.length }).toEqual({
      path,
      examples: text.match(/^[ /*]*@example/gm)?.length ?? 0,
    });
    for (const [index, code] of examples.entries())
      scripts[`${path.replaceAll(/\W/g, '-')}-${index}.ts`] = `export async function example() {\n${code}}\n`;
  }
  expect(['Driver', ...publicClasses.map(({ name }) => name)].filter((name) => !explained.has(name))).toEqual([]);
  expect(await compile(scripts)).toBe('');
});

test('package exports every error that a public doc comment names in `@throws`', async () => {
  const named = [...(await readSources())]
    // The browser connection, the command line and the platform client are not public.
    .filter(([path]) => !/^(?:cdp|cli|launch|remote)\//.test(path))
    .flatMap(([, text]) => [...text.matchAll(/^ *\* @throws (\w+)/gm)].map(([, name = '']) => name));
  expect(named.length).toBeGreaterThan(200);
  expect(named.filter((name) => !Object.hasOwn(pagechauffeur, name))).toEqual([]);
});
