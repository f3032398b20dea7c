import type { SnapshotState } from '../../snapshot/snapshot-node.ts';
import { MaskedText } from '../grammar/masked-text.ts';
import { textsIn } from '../page/build-lines.ts';
import type { Line } from '../page/line.ts';
import type { PageIndex } from '../page/page-index.ts';
import { ITEM_ROLES } from '../page/roles.ts';
import { similarity } from '../text/concepts.ts';
import { foldText, wordsOf } from '../text/words.ts';
import { isGenericNoun, isStopWord } from '../text/word-classes.ts';
import type { Claim } from './clause.ts';

const SAME_MEANING = 0.9;
/** Nouns for elements that contain text. In a claim, they match any line. */
const HOLDERS: ReadonlySet<string> = new Set(
  'banner dialog popup message notice notification alert button link heading title text word words page section field box toast table row entry'.split(
    ' ',
  ),
);
const NEGATIONS: ReadonlySet<string> = new Set(['not', 'no', 'never', 'without', 'cannot', 'isnt', 'failed', 'unable']);
/** Maximum number of descendants whose text counts as part of a line. */
const LINES_TOGETHER = 12;

/** True if the page text supports the claim. A negated claim is supported if the text is absent. */
export function isSupported(page: PageIndex, claim: Claim): boolean {
  return isMentioned(page, claim.words) !== claim.isNegated;
}

function isMentioned(page: PageIndex, words: string): boolean {
  const { claimed, state } = withoutState(words);
  const masked = new MaskedText(claimed);
  const quotes = masked.quotesIn(masked.text).map(foldText);
  const stems = distinctiveStems(masked.text);
  const isDenied = negationsIn(claimed) > 0;
  return (
    page.lines.some((line) => {
      if (state && !state.some((one) => line.node.states.includes(one))) return false;
      const said = textOf(page, line);
      if (!quotes.every((quote) => ` ${foldText(said)} `.includes(` ${quote} `))) return false;
      const own = wordsOf(said);
      if (!isDenied && quotes.length === 0 && negationsIn(said) > 0) return false;
      return (
        stems.every((stem) => own.some((word) => similarity(stem, word.stem) >= SAME_MEANING)) ||
        (quotes.length > 0 && stems.every((stem) => isAround(line, stem)))
      );
    }) || isInTitle(page, { quotes, stems, state })
  );
}

interface Wanted {
  readonly quotes: readonly string[];
  readonly stems: readonly string[];
  readonly state: readonly SnapshotState[] | null;
}

function isInTitle({ title }: PageIndex, { quotes, stems, state }: Wanted): boolean {
  const own = wordsOf(title).map(({ stem }) => stem);
  return (
    !state &&
    quotes.every((quote) => ` ${foldText(title)} `.includes(` ${quote} `)) &&
    stems.every((stem) => own.includes(stem))
  );
}

function textOf(page: PageIndex, line: Line): string {
  const { node, label, parent } = line;
  const inside = ITEM_ROLES.has(node.role) || TEXT_HOLDERS.has(node.role) ? textsIn(node, LINES_TOGETHER) : [];
  const values = node.children.flatMap(({ value }) => value ?? []);
  const outside = parent && ITEM_ROLES.has(parent.node.role) ? [] : [label?.node.name ?? ''];
  const headers = node.role === 'row' ? page.headersOver(line).map((header) => header.node.name) : [];
  return [...headers, ...outside, node.name, node.value ?? '', node.description ?? '', ...inside, ...values].join(' ');
}

/** The text inside these roles forms one statement. Larger sections contain unrelated statements. */
const TEXT_HOLDERS: ReadonlySet<string> = new Set(
  'paragraph heading term definition cell gridcell status alert caption button link option tab blockquote note'.split(
    ' ',
  ),
);

function isAround({ heading, parent, node }: Line, stem: string): boolean {
  const near = [heading?.node, parent?.node].flatMap((around) =>
    around ? wordsOf(`${around.name} ${around.role}`) : [],
  );
  return [...near, ...wordsOf(`${node.role} ${node.name}`)].some((word) => similarity(stem, word.stem) >= SAME_MEANING);
}

function distinctiveStems(text: string): readonly string[] {
  const plain = wordsOf(text.replace(/[\uE000-\uE3FF]/g, ' ')).filter(
    (word) => !isStopWord(word.text) && !HOLDERS.has(word.text) && !SAYING.has(word.text),
  );
  const distinctive = plain.filter(({ stem }) => !isGenericNoun(stem));
  return (distinctive.length > 0 ? distinctive : plain).map(({ stem }) => stem);
}

const SAYING: ReadonlySet<string> = new Set(
  'says shows contains reads equals displays mentions exactly least'.split(' '),
);

function negationsIn(text: string): number {
  return wordsOf(text).filter((word) => NEGATIONS.has(word.text)).length;
}

const STATES: readonly (readonly [pattern: RegExp, states: readonly SnapshotState[]])[] = [
  [/\s(?:is|are) (?:disabled|greyed out|not enabled)$/i, ['disabled']],
  [/\s(?:is|are) (?:checked|ticked|on|switched on|turned on)$/i, ['checked', 'pressed']],
  [/\s(?:is|are) (?:not checked|unchecked|not ticked|unticked|off|switched off|turned off)$/i, ['unchecked']],
  [/\s(?:is|are) (?:selected|active|current)$/i, ['selected', 'checked', 'current', 'pressed']],
  [/\s(?:is|are) (?:expanded)$/i, ['expanded']],
  [/\s(?:is|are) (?:collapsed)$/i, ['collapsed']],
  [/\s(?:is|are) (?:invalid)$/i, ['invalid']],
];

/** Splits "the Save button is disabled" into the element and the states that it must have. */
function withoutState(words: string): { claimed: string; state: readonly SnapshotState[] | null } {
  for (const [pattern, state] of STATES) if (pattern.test(words)) return { claimed: words.replace(pattern, ''), state };
  return { claimed: words, state: null };
}
