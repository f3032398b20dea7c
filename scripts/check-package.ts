/**
 * Checks each public package as npm would publish it: `package.json` with publint, types for ESM users with "Are the
 * types wrong?", that types import only dependencies, and that every entry can be imported.
 */
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { checkPackage, createPackageFromTarballData, type Problem } from '@arethetypeswrong/core';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import { declarationsOf } from './declarations.ts';
import { runCommand } from './run-command.ts';

// The packages are ESM only, so these resolutions do not matter.
const ignoredResolutions = new Set(['node10', 'node16-cjs']);

interface Manifest {
  readonly name: string;
  readonly private?: boolean;
  readonly exports?: Record<string, unknown>;
  readonly dependencies?: Record<string, string>;
}

export async function packageFaults(folder: string): Promise<string[]> {
  const scratch = await scratchFolder();
  try {
    const tarball = await pack(folder, scratch);
    const manifest = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as Manifest;
    const faults = [
      ...(await manifestFaults(tarball)),
      ...(await typeFaults(tarball)),
      ...(await importFaults(manifest, scratch)),
    ];
    // With missing type files, imports cannot be followed.
    return faults.length > 0 ? faults : await dependencyFaults(manifest, scratch);
  } finally {
    await rm(scratch, { recursive: true });
  }
}

// Inside the root's `node_modules`, so that the unpacked package finds its dependencies.
async function scratchFolder(): Promise<string> {
  const cache = fileURLToPath(new URL('../node_modules/.cache/', import.meta.url));
  await mkdir(cache, { recursive: true });
  return mkdtemp(join(cache, 'package-'));
}

async function pack(folder: string, scratch: string): Promise<Uint8Array<ArrayBuffer>> {
  const packed = await runCommand('npm', ['pack', '--loglevel=error', '--pack-destination', scratch], folder);
  const [file] = await readdir(scratch);
  if (packed.code !== 0 || !file) throw new Error(`npm pack failed in ${folder}: ${packed.output}`);
  return new Uint8Array(await readFile(join(scratch, file)));
}

async function manifestFaults(tarball: Uint8Array<ArrayBuffer>): Promise<string[]> {
  const { messages, pkg } = await publint({ pack: { tarball: tarball.buffer }, strict: true });
  return messages.map((message) => formatMessage(message, pkg, { color: false }) ?? message.code);
}

async function typeFaults(tarball: Uint8Array<ArrayBuffer>): Promise<string[]> {
  const result = await checkPackage(createPackageFromTarballData(tarball));
  if (!result.types) return ['The package has no types.'];
  return result.problems.filter(mattersToEsm).map((problem) => `Types: ${JSON.stringify(problem, withoutTrace)}`);
}

function mattersToEsm(problem: Problem): boolean {
  return !('resolutionKind' in problem && ignoredResolutions.has(problem.resolutionKind));
}

function withoutTrace(key: string, value: unknown): unknown {
  return key === 'trace' ? undefined : value;
}

async function importFaults({ name, exports = {} }: Manifest, scratch: string): Promise<string[]> {
  const target = unpackedFolder(name, scratch);
  await mkdir(target, { recursive: true });
  const unpack = await runCommand('tar', ['-xzf', await tarballIn(scratch), '-C', target, '--strip-components=1']);
  if (unpack.code !== 0) return [`The tarball does not unpack: ${unpack.output}`];
  const entries = Object.keys(exports).filter((path) => !path.includes('.json') && !path.includes('*'));
  const faults = await Promise.all(entries.map(async (path) => importFault(join(name, path), scratch)));
  return faults.filter((fault) => fault !== '');
}

async function tarballIn(scratch: string): Promise<string> {
  const name = (await readdir(scratch)).find((entry) => entry.endsWith('.tgz'));
  return join(scratch, name ?? '');
}

async function importFault(specifier: string, folder: string): Promise<string> {
  const code = `await import(${JSON.stringify(specifier)})`;
  const result = await runCommand('node', ['--input-type=module', '-e', code], folder);
  return result.code === 0 ? '' : `import '${specifier}' fails: ${result.output}`;
}

/** Finds packages that types import, but that users do not get with this one. */
async function dependencyFaults({ name, dependencies = {} }: Manifest, scratch: string): Promise<string[]> {
  const { packages } = await declarationsOf(unpackedFolder(name, scratch));
  const needed = Array.from(packages).flatMap((one) => [one, ...typesOf(one)]);
  return needed.filter((one) => !(one in dependencies)).map((one) => `Types: ${one} is no dependency of ${name}`);
}

/** Returns the `@types` package of a package, if it is installed here. */
function typesOf(name: string): string[] {
  const types = `@types/${name.replace(/^@(.+)\//, '$1__')}`;
  return existsSync(fileURLToPath(new URL(`../node_modules/${types}`, import.meta.url))) ? [types] : [];
}

function unpackedFolder(name: string, scratch: string): string {
  return join(scratch, 'node_modules', name);
}

async function publicPackages(): Promise<string[]> {
  const packages = fileURLToPath(new URL('../packages/', import.meta.url));
  const folders = (await readdir(packages)).map((name) => join(packages, name));
  const manifests = await Promise.all(folders.map(async (folder) => readFile(join(folder, 'package.json'), 'utf8')));
  return folders.filter((_, index) => !(JSON.parse(manifests[index] ?? '{}') as Manifest).private);
}

if (import.meta.main) {
  const faults = (await Promise.all((await publicPackages()).map(packageFaults))).flat();
  for (const fault of faults) console.log(fault);
  process.exitCode = faults.length === 0 ? 0 : 1;
}
