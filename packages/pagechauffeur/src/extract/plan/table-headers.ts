import type { PlacedLine } from '../places/placed-lines.ts';
import { sharedSteps, stepsIn } from '../places/xpath-steps.ts';

/** Returns the header texts of the table whose rows are in `holder`. Empty if there is no table. */
export function headersAround(lines: readonly PlacedLine[], holder: string): readonly string[] {
  const least = stepsIn(holder) - 1;
  return lines
    .filter(({ node, path }) => node.role === 'columnheader' && sharedSteps(path, holder) >= least)
    .map(({ node }) => node.name);
}
