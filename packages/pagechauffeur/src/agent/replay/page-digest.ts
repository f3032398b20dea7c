import { createHash } from 'node:crypto';
import { settlePage } from '../../actions/settle-page.ts';
import type { Page } from '../../page/page.ts';
import { pageTextsIn, parseLine, stateSpans, withoutSpans } from '../../snapshot/parse-line.ts';
import { takeSnapshot } from '../../snapshot/take-snapshot.ts';
import type { Progress } from '../../util/progress.ts';
import { LIKELY_NAMES, replacePlaceholders } from '../../util/placeholders.ts';
import { wordsIn } from '../../policy/words.ts';
import type { VerbContext } from '../../verb/verb-context.ts';

export type DigestKind =
  /** Compares every line, in order. */
  | 'exact'
  /** Compares the set of words. Replaces numbers that are not in the task with 0. */
  | 'words';

interface DigestOptions {
  readonly kind: DigestKind;
  readonly verbs: VerbContext;
  readonly instruction: string;
}

/** Maximum time in ms for the page to settle. A page that keeps changing never has the same digest anyway. */
const SETTLE_WITHIN_MS = 2000;
const DIGITS = 20;

/** Waits until the page settles and hashes its text, with masked variable values. */
export async function pageDigest(
  progress: Progress,
  page: Page,
  { kind, verbs, instruction }: DigestOptions,
): Promise<string> {
  await settlePage(progress, page.target, Math.min(SETTLE_WITHIN_MS, verbs.domSettleTimeout));
  const { text } = await takeSnapshot(progress, page.target, { tokenBudget: Infinity });
  const lines = verbs.mask(text).split('\n');
  const compared =
    kind === 'exact'
      ? lines.map(withoutVolatileParts)
      : wordsOf(lines.flatMap((line) => pageTextsIn(parseLine(line))).join(' '), instruction);
  return createHash('sha256').update(compared.join('\n')).digest('hex').slice(0, DIGITS);
}

function wordsOf(text: string, instruction: string): readonly string[] {
  const instructionNumbers = new Set(instruction.match(/\d+/g));
  // The placeholders come from a run whose variable names are unknown here, so anything that looks like one is removed.
  const plain = replacePlaceholders(text, LIKELY_NAMES, () => ' ').replaceAll(/\d+/g, (digits) =>
    instructionNumbers.has(digits) ? digits : '0',
  );
  return [...new Set(wordsIn(plain))].toSorted();
}

/** Removes refs, link numbers and focus. They can differ on equal pages. */
function withoutVolatileParts(line: string): string {
  const unseen = parseLine(line).elements.flatMap((element) => [
    element.marks.ref,
    element.marks.url,
    ...stateSpans(element, UNSEEN_STATES),
  ]);
  return withoutSpans(line, unseen).trim();
}

const UNSEEN_STATES: ReadonlySet<string> = new Set(['focused']);
