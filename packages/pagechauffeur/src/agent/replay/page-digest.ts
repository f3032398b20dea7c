import { createHash } from 'node:crypto';
import { settlePage } from '../../page/action/settle-page.ts';
import type { Page } from '../../page/page.ts';
import { takeSnapshot } from '../../snapshot/take-snapshot.ts';
import type { Progress } from '../../util/progress.ts';
import { LIKELY_NAMES, replacePlaceholders } from '../../util/placeholders.ts';
import { wordsIn } from '../../policy/words.ts';
import type { VerbContext } from '../../verb/verb-context.ts';

/** How much of what a page shows a digest tells apart. */
export type DigestKind =
  /** Each line in its place. */
  | 'exact'
  /** The words of it in any order; of its numbers those that the task says. */
  | 'words';

interface DigestOptions {
  readonly kind: DigestKind;
  readonly verbs: VerbContext;
  readonly instruction: string;
}

/** A page that is not quiet by then shows something else each time anyway. */
const SETTLE_WITHIN_MS = 2000;
/** Hexadecimal digits of a digest. */
const DIGITS = 20;

/** A digest of what a page shows when it has settled, without values of variables: equal when it shows the same. */
export async function pageDigest(
  progress: Progress,
  page: Page,
  { kind, verbs, instruction }: DigestOptions,
): Promise<string> {
  await settlePage(progress, page.target, Math.min(SETTLE_WITHIN_MS, verbs.domSettleTimeout));
  const { text } = await takeSnapshot(progress, page.target, { tokenBudget: Infinity });
  const lines = verbs.mask(text).split('\n').map(withoutRef);
  const compared = kind === 'exact' ? lines : wordsOf(lines.flatMap(saidIn).join(' '), instruction);
  return createHash('sha256').update(compared.join('\n')).digest('hex').slice(0, DIGITS);
}

/** What the page itself says in a line: names and values, which stand in quotes, or a text. */
function saidIn(line: string): readonly string[] {
  return line.startsWith('- ') ? [line] : (line.match(/"(?:[^"\\]|\\.)*"/g) ?? []);
}

function wordsOf(text: string, instruction: string): readonly string[] {
  const said = new Set(instruction.match(/\d+/g));
  // Of variables of a run before only the form of their names is known.
  const plain = replacePlaceholders(text, LIKELY_NAMES, () => ' ').replaceAll(/\d+/g, (digits) =>
    said.has(digits) ? digits : '0',
  );
  return [...new Set(wordsIn(plain))].toSorted();
}

/** A ref, the focus and the number of an address say nothing of what a person sees. */
function withoutRef(line: string): string {
  return line
    .trim()
    .replace(/^e\d+ /, '')
    .replace(/(?<=^[^-].*) focused(?=(?: [\w#-]+)*$)/, '')
    .replace(/(?<=^[^-].*) #\d+(?=(?: [\w-]+)*$)/, '');
}
