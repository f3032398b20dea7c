import type { PlacedLine } from '../places/placed-lines.ts';
import { sharedSteps, stepsIn } from '../places/xpath-steps.ts';

/** Header texts of the table that an element's rows belong to. Empty if it has no rows. */
export function headersAround(lines: readonly PlacedLine[], holder: string): readonly string[] {
  const least = stepsIn(holder) - 1;
  return lines
    .filter(({ node, path }) => node.role === 'columnheader' && sharedSteps(path, holder) >= least)
    .map(({ node }) => node.name);
}
