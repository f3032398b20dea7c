import type { Page } from '../../page/page.ts';
import { parseLine } from '../../snapshot/parse-line.ts';
import { takeSnapshot } from '../../snapshot/take-snapshot.ts';
import type { Progress } from '../../util/progress.ts';
import type { VerbContext } from '../../verb/verb-context.ts';

/** Describes the focused element, for example `textbox "Name"`. Returns `''` if nothing has the focus. */
export async function focusedPhrase(progress: Progress, page: Page, { mask }: VerbContext): Promise<string> {
  const { text } = await takeSnapshot(progress, page.target, { tokenBudget: Infinity });
  // The `iframe` that contains the focused element is focused, too, and comes first.
  const focused = text
    .split('\n')
    .flatMap((line) => parseLine(line).elements)
    .findLast(({ states }) => states.includes('focused'));
  return focused ? mask(focused.name === '' ? focused.role : `${focused.role} ${JSON.stringify(focused.name)}`) : '';
}
