import type { LocatedLine } from '../places/located-lines.ts';
import { sharedSteps, stepsIn } from '../places/xpath-steps.ts';

/** Returns the column headers of the table around the element with the XPath `holder`. Empty outside of tables. */
export function headersAround(lines: readonly LocatedLine[], holder: string): readonly string[] {
  const least = stepsIn(holder) - 1;
  return lines
    .filter(({ node, path }) => node.role === 'columnheader' && sharedSteps(path, holder) >= least)
    .map(({ node }) => node.name);
}
