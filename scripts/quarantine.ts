/** A flaky test whose cause is known. */
export interface QuarantinedTest {
  /**
   * Path from the repository root and titles, joined by ` > ` as vitest prints them. The titles of a suite select all
   * its tests.
   */
  readonly test: string;
  /** Why the test fails, and what would fix it. */
  readonly reason: string;
}

/** These tests run and are reported, but their failures do not fail the run. */
export const QUARANTINE: readonly QuarantinedTest[] = [];

export function quarantineOf(
  name: string,
  quarantine: readonly QuarantinedTest[] = QUARANTINE,
): QuarantinedTest | undefined {
  return quarantine.find(({ test }) => name === test || name.startsWith(`${test} > `));
}
