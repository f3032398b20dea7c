import { posix } from 'node:path';
import { importsOf, type SourceFile } from '../source-file.ts';

/** Returns each import cycle, types included, as the paths along it. */
export function importCycles(files: readonly SourceFile[]): string[] {
  const targetsByPath = new Map(files.map((file) => [file.path, relativeTargets(file)]));
  const done = new Set<string>();
  const cycles: string[] = [];
  const walk = (path: string, trail: readonly string[]): void => {
    if (trail.includes(path)) cycles.push([...trail.slice(trail.indexOf(path)), path].join(' → '));
    if (done.has(path) || trail.includes(path)) return;
    for (const target of targetsByPath.get(path) ?? []) walk(target, [...trail, path]);
    done.add(path);
  };
  for (const { path } of files) walk(path, []);
  return cycles;
}

function relativeTargets(file: SourceFile): string[] {
  return importsOf(file)
    .filter(({ specifier }) => specifier.startsWith('.'))
    .map(({ specifier }) => posix.join(posix.dirname(file.path), specifier));
}
