import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestModule } from 'vitest/node';

const ROOT = join(import.meta.dirname, '..');
const FILE = join(import.meta.dirname, 'test-durations.json');

/** Duration of each test file in seconds, by path from the repository root. */
export type TestDurations = Readonly<Record<string, number>>;

/** The durations decide the order of the files, see `longest-first.ts`. */
export function readDurations(): TestDurations {
  return JSON.parse(readFileSync(FILE, 'utf8')) as TestDurations;
}

/** Updates the files that ran: `npm test -- --record`. Drops files that no longer exist. */
export function recordDurations(modules: readonly TestModule[]): void {
  const measured = modules.map((module): [string, number] => [module.relativeModuleId, secondsOf(module)]);
  const durations = Object.entries({ ...readDurations(), ...Object.fromEntries(measured) });
  const sorted = durations
    .filter(([path]) => existsSync(join(ROOT, path)))
    .toSorted(([one, first], [other, second]) => second - first || one.localeCompare(other));
  writeFileSync(FILE, `${JSON.stringify(Object.fromEntries(sorted), undefined, 2)}\n`);
}

/** Includes loading and hooks. */
function secondsOf(module: TestModule): number {
  const { collectDuration, setupDuration, duration } = module.diagnostic();
  return Math.round((collectDuration + setupDuration + duration) / 100) / 10;
}
