import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestModule } from 'vitest/node';
import { runTests, type TestCounts } from './run-tests.ts';

const ROOT = join(import.meta.dirname, '..');

/** A row of the threat model in docs/security.md. */
export interface Attack {
  /** The heading above the table. */
  readonly attacker: string;
  readonly attack: string;
  /** Paths from the repository root. */
  readonly tests: readonly string[];
}

/** Parses the threat model. The first cell of a row is the attack, the last one contains its tests. */
export function listedAttacks(text: string = readFileSync(join(ROOT, 'docs/security.md'), 'utf8')): readonly Attack[] {
  const attacks: Attack[] = [];
  let attacker = '';
  for (const line of text.split('\n')) {
    attacker = /^## (.*)/.exec(line)?.[1] ?? attacker;
    const cells = line.startsWith('| ')
      ? line
          .slice(1, -1)
          .split(' | ')
          .map((cell) => cell.trim())
      : [];
    const tests = [...(cells.at(-1) ?? '').matchAll(/`([^`]+\.test\.ts)`/g)].map(([, path = '']) => path);
    if (tests.length > 0) attacks.push({ attacker, attack: cells[0] ?? '', tests });
  }
  return attacks;
}

/** Returns attacks whose row or heading contains one of the words, or all attacks without words. */
export function attacksWith(words: readonly string[], attacks: readonly Attack[] = listedAttacks()): readonly Attack[] {
  return attacks.filter(
    ({ attacker, attack }) => words.length === 0 || words.some((word) => `${attacker}: ${attack}`.includes(word)),
  );
}

/** Runs the tests for the chosen attacks and prints for each attack whether its tests passed. */
export async function runAttacks(words: readonly string[] = []): Promise<TestCounts> {
  const attacks = attacksWith(words);
  if (attacks.length === 0) throw new TypeError(`docs/security.md lists no attack with ${words.join(' or ')}`);
  const files = [...new Set(attacks.flatMap(({ tests }) => tests))];
  const lines: string[] = [];
  const onEnd = (modules: readonly TestModule[]): void => {
    const byPath = new Map(modules.map((module) => [module.relativeModuleId, module]));
    lines.push(...attacks.map((attack) => outcomeLine(attack, byPath)));
  };
  const counts = await runTests(files, { withNightly: true, reporters: ['dot'], onEnd });
  for (const line of lines) console.log(line);
  return counts;
}

function outcomeLine({ attacker, attack, tests }: Attack, byPath: ReadonlyMap<string, TestModule>): string {
  const modules = tests.map((path) => byPath.get(path));
  const count = modules.reduce((sum, module) => sum + (module ? [...module.children.allTests('passed')].length : 0), 0);
  const isHeld = count > 0 && modules.every((module) => module?.ok());
  return `${isHeld ? 'held  ' : 'BROKEN'}  ${attacker}: ${attack} (${count} tests)`;
}
