import type { Page } from '../../page/page.ts';
import { takeSnapshot } from '../../snapshot/take-snapshot.ts';
import type { Progress } from '../../util/progress.ts';
import type { VerbContext } from '../../verb/verb-context.ts';

/** What has the focus, as its role and name and without values of variables; `''` when nothing has it. */
export async function focusedPhrase(progress: Progress, page: Page, { mask }: VerbContext): Promise<string> {
  const { text } = await takeSnapshot(progress, page.target, { tokenBudget: Infinity });
  // The innermost comes last: a frame that holds it has the focus, too.
  const phrases = text.split('\n').flatMap((line) => FOCUSED.exec(line)?.groups?.['phrase'] ?? []);
  return mask(phrases.at(-1) ?? '');
}

const FOCUSED = /^ *(?:\w*e\d+ )(?<phrase>\S+(?: "(?:[^"\\]|\\.)*")?).* focused(?: [\w#-]+)*$/;
