import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { attacksWith, listedAttacks } from './security.ts';

const TABLE = `# Threats

## A page

| attack | asset | defence | test |
| --- | --- | --- | --- |
| steals \`%password%\` | secrets | origins | \`a/one.test.ts\`, \`b/two.nightly.test.ts\` |
| no test yet | files | none | |

## A tenant

| attack | asset | defence | test |
| --- | --- | --- | --- |
| reads files | the machine | targets are judged | \`c/three.test.ts\` |
`;

test('reads the attacks and their tests from the tables below each attacker', () => {
  expect(listedAttacks(TABLE)).toEqual([
    { attacker: 'A page', attack: 'steals `%password%`', tests: ['a/one.test.ts', 'b/two.nightly.test.ts'] },
    { attacker: 'A tenant', attack: 'reads files', tests: ['c/three.test.ts'] },
  ]);
});

test('chooses attacks by words of their line or their heading', () => {
  const attacksOf = (...words: string[]): string[] =>
    attacksWith(words, listedAttacks(TABLE)).map(({ attack }) => attack);
  expect(attacksOf('tenant')).toEqual(['reads files']);
  expect(attacksOf('steals', 'tenant')).toEqual(['steals `%password%`', 'reads files']);
  expect(attacksOf()).toHaveLength(2);
  expect(attacksOf('nobody')).toEqual([]);
});

test('docs/security.md lists attacks of every attacker, and each names tests that exist', () => {
  const attacks = listedAttacks();
  expect(attacks.length).toBeGreaterThan(20);
  const missing = attacks
    .flatMap(({ tests }) => tests)
    .filter((path) => !existsSync(join(import.meta.dirname, '..', path)));
  expect(missing).toEqual([]);
});
