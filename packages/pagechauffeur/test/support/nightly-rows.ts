/** Whether all rows run: in nightly runs and in runs of chosen files. `scripts/run-tests.ts` decides. */
export const hasAllRows: boolean = process.env['TEST_ROWS'] === 'all';

/**
 * Returns the rows of a table of tests. Each daily row stands for a rule or a code path. The nightly rows reach the same
 * rules in other ways.
 */
export function rows<const T, const U = T>(daily: readonly T[], nightly: readonly U[]): readonly (T | U)[] {
  return hasAllRows ? [...daily, ...nightly] : daily;
}
