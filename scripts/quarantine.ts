/** A test that fails now and then for a known reason. */
export interface QuarantinedTest {
  /** The path from the repository root and the titles, as vitest prints them, joined by ` > `. A suite stands for all its tests. */
  readonly test: string;
  /** Why it fails, and what would repair it. */
  readonly reason: string;
}

/** Tests in quarantine run and are reported, but their failures do not fail the run. Repair a test to take it out. */
export const QUARANTINE: readonly QuarantinedTest[] = [];

/** Finds the entry for a test with its path and titles. */
export function quarantineOf(
  name: string,
  quarantine: readonly QuarantinedTest[] = QUARANTINE,
): QuarantinedTest | undefined {
  return quarantine.find(({ test }) => name === test || name.startsWith(`${test} > `));
}
