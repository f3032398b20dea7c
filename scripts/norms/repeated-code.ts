import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runCommand } from '../run-command.ts';

const MIN_TOKENS = 70; // The length from which equal code counts as repeated.

/** Amount of repeated code. */
export interface RepeatedCode {
  readonly percent: number;
  /** One line per pair of places. */
  readonly pairs: readonly string[];
}

interface Report {
  readonly duplicates: readonly { readonly firstFile: Place; readonly secondFile: Place; readonly lines: number }[];
  readonly statistics: { readonly total: { readonly percentageTokens: number } };
}

interface Place {
  readonly name: string;
  readonly start: number;
}

/** Finds repeated code in folders. Tests and generated files are skipped. */
export async function repeatedCode(folders: readonly string[]): Promise<RepeatedCode> {
  const output = await mkdtemp(join(tmpdir(), 'repeated-'));
  try {
    const ignored = '**/generated/**,**/node_modules/**,**/dist/**,**/*.test.ts';
    const options = [
      '--mode',
      'weak',
      '--format',
      'typescript',
      '--min-tokens',
      `${MIN_TOKENS}`,
      '--reporters',
      'json',
      '--ignore',
      ignored,
    ];
    const result = await runCommand('jscpd', [...folders, ...options, '--output', output]);
    if (result.code !== 0) throw new Error(`jscpd failed: ${result.output}`);
    const { duplicates, statistics } = JSON.parse(await readFile(join(output, 'jscpd-report.json'), 'utf8')) as Report;
    return {
      percent: statistics.total.percentageTokens,
      pairs: duplicates.map(
        ({ firstFile, secondFile, lines }) =>
          `${firstFile.name}:${firstFile.start} and ${secondFile.name}:${secondFile.start}, ${lines} lines`,
      ),
    };
  } finally {
    await rm(output, { recursive: true });
  }
}
