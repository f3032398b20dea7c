import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { isRecord } from './json-schema.ts';

/**
 * Imports an optional package: from the library's location, else from the user's project (the working directory).
 * Returns `undefined` if neither has it.
 */
export async function importFromProject(name: string): Promise<Readonly<Record<string, unknown>> | undefined> {
  for (const base of [import.meta.url, join(process.cwd(), 'package.json')]) {
    const path = resolveFrom(base, name);
    if (path === undefined) continue;
    const module: unknown = await import(pathToFileURL(path).href);
    return isRecord(module) ? module : undefined;
  }
  return undefined;
}

function resolveFrom(base: string, name: string): string | undefined {
  try {
    return createRequire(base).resolve(name);
  } catch (error) {
    if (error instanceof Error && 'code' in error && NOT_THERE.has(String(error.code))) return undefined;
    throw error;
  }
}

const NOT_THERE = new Set(['MODULE_NOT_FOUND', 'ERR_PACKAGE_PATH_NOT_EXPORTED']);
