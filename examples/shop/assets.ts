import { readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import type { Asset } from './http.ts';

const CONTENT_TYPE: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
};

/** A file of the folder `public`, or null when there is none of that name. */
export async function asset(name: string): Promise<Asset | null> {
  const contentType = CONTENT_TYPE[extname(name)];
  if (contentType === undefined || name.startsWith('.')) return null;
  try {
    return { body: await readFile(join(import.meta.dirname, 'public', name)), contentType };
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  }
}
