import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { makeFolder } from './make-folder.ts';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'make-folder-'));
});

afterEach(() => rmSync(folder, { recursive: true }));

it('creates missing parents for 20 concurrent calls', async () => {
  const path = join(folder, 'a/b/c/d');
  await Promise.all(Array.from({ length: 20 }, () => makeFolder(path)));
  await makeFolder(path);
  expect(statSync(path).isDirectory()).toBe(true);
});

it.each(['/proc/nowhere/folder', 'FILE/below'])('rejects with the system error for the path %s', async (path) => {
  writeFileSync(join(folder, 'file'), '');
  await expect(makeFolder(path.replace('FILE', join(folder, 'file')))).rejects.toThrow(/ENOENT|ENOTDIR/);
});
