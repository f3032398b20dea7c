import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const packages = join(import.meta.dirname, '../../..');
const ENTRIES = [
  'pagechauffeur/dist/index.js',
  'pagechauffeur/dist/testing.js',
  'pagechauffeur/dist/internal.js',
  'pagechauffeur/dist/main.js',
  'platform/dist/index.js',
  'platform/dist/main.js',
];

/** Stands for Node 20: its version, and one of the functions that it lacks. */
const OLD_NODE =
  'data:text/javascript,delete Promise.withResolvers;Object.defineProperty(process.versions,"node",{value:"20.20.2"})';

function run(program: string, args: readonly string[]): Promise<{ readonly code: unknown; readonly stderr: string }> {
  return new Promise((done) => {
    execFile(program, args, (error, _stdout, stderr) => done({ code: error?.code ?? 0, stderr }));
  });
}

test.each(ENTRIES)('%s exits with 1 and names the required version first under Node 20', async (entry) => {
  const { code, stderr } = await run(process.execPath, ['--import', OLD_NODE, join(packages, entry)]);
  expect(code).toBe(1);
  expect(stderr.split('\n', 1)).toEqual(['pagechauffeur needs Node 22.18 or newer. Found 20.20.2']);
});

// Where the machine's own Node.js is older than the repository's.
const OLD_PROGRAM = '/usr/bin/node';
const version = existsSync(OLD_PROGRAM)
  ? await run(OLD_PROGRAM, ['-e', 'console.error(process.versions.node)'])
  : undefined;
const isOld = version !== undefined && Number.parseInt(version.stderr, 10) < 22;

test.skipIf(!isOld).each(ENTRIES)(
  '%s names the required version first under the older Node.js of the machine',
  async (entry) => {
    const { stderr } = await run(OLD_PROGRAM, [join(packages, entry)]);
    expect(stderr).toMatch(/^pagechauffeur needs Node 22\.18 or newer\. Found \d+\.\d+\.\d+\n/);
  },
);
