import { createHash } from 'node:crypto';
import { settlePage } from '../../actions/settle-page.ts';
import type { Page } from '../../page/page.ts';
import { pageTextsIn, parseLine, stateSpans, withoutSpans } from '../../snapshot/parse-line.ts';
import { takeSnapshot } from '../../snapshot/take-snapshot.ts';
import type { Progress } from '../../util/progress.ts';
import { LIKELY_NAMES, replacePlaceholders } from '../../util/placeholders.ts';
import { wordsIn } from '../../policy/words.ts';
import type { VerbContext } from '../../verb/verb-context.ts';

/** What to compare in a digest. */
export type DigestKind =
  /** Every line, in order. */
  | 'exact'
  /** The set of words. Of the numbers, only those in the task. */
  | 'words';

interface DigestOptions {
  readonly kind: DigestKind;
  readonly verbs: VerbContext;
  readonly instruction: string;
}

/** Time in ms for the page to settle. The digest of a page that keeps changing never matches anyway. */
const SETTLE_WITHIN_MS = 2000;
/** Number of hexadecimal digits in a digest. */
const DIGITS = 20;

/**
 * Returns the digest of a page once it has settled, with variable values masked. Pages with the same content have the
 * same digest.
 */
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
      ? lines.map(asSeen)
      : wordsOf(lines.flatMap((line) => pageTextsIn(parseLine(line))).join(' '), instruction);
  return createHash('sha256').update(compared.join('\n')).digest('hex').slice(0, DIGITS);
}

function wordsOf(text: string, instruction: string): readonly string[] {
  const said = new Set(instruction.match(/\d+/g));
  // The variable names of the earlier run are unknown, so this removes everything that looks like a placeholder.
  const plain = replacePlaceholders(text, LIKELY_NAMES, () => ' ').replaceAll(/\d+/g, (digits) =>
    said.has(digits) ? digits : '0',
  );
  return [...new Set(wordsIn(plain))].toSorted();
}

/** The line without refs, focus and URL numbers, which are not visible on the page. */
function asSeen(line: string): string {
  const unseen = parseLine(line).elements.flatMap((element) => [
    element.marks.ref,
    element.marks.url,
    ...stateSpans(element, UNSEEN_STATES),
  ]);
  return withoutSpans(line, unseen).trim();
}

const UNSEEN_STATES: ReadonlySet<string> = new Set(['focused']);
