import { quote } from '../../util/truncate.ts';
import type { ObserveAnswer, ProposedAction } from '../../model/model-client.ts';
import { rolesNamed } from '../grammar/kind-words.ts';
import { isCheckable, hasOptions, takesText } from '../page/roles.ts';
import type { Line } from '../page/line.ts';
import { stemsOf, type Word, wordsOf } from '../text/words.ts';
import { isStopWord } from '../text/word-classes.ts';
import type { Reading } from '../grammar/reading.ts';
import { decide, type Understood } from '../rank/decide.ts';
import type { Ranker } from '../rank/ranker.ts';
import { bestProposal, notUnderstood, proposalsFor } from './answer-act.ts';
import { actionOn } from './proposal.ts';

/** The beginning of a request, such as "find all", which does not describe the elements. */
export const ASKING =
  /^(?:(?:find|locate|get|show|list|identify|observe|detect|look for|give me|return|which|what are|where (?:is|are))\s+(?:me\s+)?(?:(?:all|every|each|any)\s+)?|(?:all|every|each|any)\s+)(?:of\s+)?(?:the\s+)?/i;
/** Words that ask for several elements, so that several matches are not ambiguous. */
const SEVERAL = /\b(?:all|every|each|any)\b/i;

/** Quoted names. A plural inside them does not ask for several elements. */
const QUOTED = /(['"])(?:(?!\1).)*\1/g;

/** `reason` says why `elements` is empty. */
export interface Observed extends ObserveAnswer {
  readonly reason: string;
}

export interface ObserveRequest {
  readonly instruction: string;
  /** The instruction without a beginning such as "find all". */
  readonly plain: string;
}

/**
 * Returns the elements that match every word, or why there are none. Returns several only if the instruction asks for
 * several.
 */
export function answerObserve(
  ranker: Ranker,
  readings: readonly Reading[],
  { instruction, plain }: ObserveRequest,
): Observed {
  if (isAboutEverything(plain)) return found(ranker.page.elements.filter(isControl).map(defaultAction));
  const proposals = proposalsFor(ranker, readings);
  const best = bestProposal(proposals);
  const wanted = isForSeveral(instruction) ? withExactNames(described(ranker, readings), readings) : [];
  const isAmong = wanted.length < 2 || wanted.some(({ line }) => line.node.ref === best?.action?.ref);
  const named = best?.action && isAmong ? [best.action] : [];
  const others = best?.action && best.action.arguments.length > 0 ? [] : wanted.map(({ line }) => defaultAction(line));
  const elements = [...named, ...others.filter(({ ref }) => ref !== best?.action?.ref)];
  if (elements.length > 0) return found(elements);
  const count = best?.equals.length ?? 0;
  const reason =
    count > 1
      ? `${count} elements match ${quote(instruction)} equally well`
      : notUnderstood(instruction, { best, nearest: (best?.nearest ?? []).slice(0, 3) });
  return { elements: [], reason };
}

function found(elements: readonly ProposedAction[]): Observed {
  return { elements, reason: '' };
}

/** True for words such as "all" and for plurals. */
function isForSeveral(instruction: string): boolean {
  const instructionText = instruction.replaceAll(QUOTED, '');
  const words = wordsOf(instructionText);
  const kinds = words.filter(({ stem }) => rolesNamed(stem) !== undefined);
  return SEVERAL.test(instructionText) || (kinds.length > 0 ? kinds : words).some(isPlural);
}

function isPlural({ text, stem }: Word): boolean {
  return text.endsWith('s') && !stem.endsWith('s');
}

function described(ranker: Ranker, readings: readonly Reading[]): readonly Understood[] {
  const plain = readings.at(-1);
  if (!plain || plain.unread.length > 0) return [];
  const isKindKnown = plain.target.roles !== null;
  const options = { intent: 'use', isSeries: true, roleFit: () => 1, isKindKnown } as const;
  const { understood } = decide(ranker, plain.target, options);
  const ofRole = understood.filter(({ account }) => account.isOfRole);
  return ofRole.length > 0 ? ofRole : understood;
}

/** Prefers names with exactly these words, so that "Message buttons" excludes "Messages". */
function withExactNames(all: readonly Understood[], readings: readonly Reading[]): readonly Understood[] {
  const instructionText =
    readings.at(-1)?.target.words.filter(({ sort, isMain }) => isMain && (sort === 'content' || sort === 'noun')) ?? [];
  const exact = all.filter(({ line: { node } }) => {
    const own = new Set(wordsOf(node.name).map(({ text }) => text));
    return instructionText.length > 0 && instructionText.every(({ text }) => own.has(text));
  });
  return exact.length > 0 ? exact : all;
}

function isAboutEverything(asked: string): boolean {
  return wordsOf(asked).every(({ stem, text }) => isStopWord(text) || EVERYTHING.has(stem));
}

/** A request of only these words means all elements. Excludes nouns for kinds of elements, such as "field". */
const EVERYTHING: ReadonlySet<string> = new Set(
  stemsOf(`
all everything every interact interactive action actionable control find click clicked clickable possible available
element thing item widget page site website screen view part app application user step content
`),
);

function isControl({ node }: Line): boolean {
  return node.role !== 'iframe';
}

/** Proposes what users usually do with an element of this role. */
function defaultAction({ node }: Line): ProposedAction {
  if (hasOptions(node)) return actionOn(node, { method: 'select' });
  if (takesText(node)) return actionOn(node, { method: 'fill' });
  return actionOn(node, { method: isCheckable(node) && node.role !== 'radio' ? 'check' : 'click' });
}
