import type { ObserveAnswer, ProposedAction } from '../../model-client.ts';
import { isCheckable, hasOptions, takesText } from '../page/roles.ts';
import type { Line } from '../page/line.ts';
import { stemsOf, wordsOf } from '../text/words.ts';
import { isStopWord } from '../text/word-classes.ts';
import type { Reading } from '../grammar/reading.ts';
import type { Candidate, Ranker } from '../rank/ranker.ts';
import { bestProposal } from './answer-act.ts';
import { actionOn } from './proposal.ts';
import { proposeReading } from './propose-reading.ts';

const LEAST_COVERAGE = 0.58;
/** Elements that fit this much less than the best one are about something else. */
const LEAST_SHARE = 0.85;
/** So much of the words that the best one bears itself must the others bear too. */
const LEAST_OWN_SHARE = 0.8;

/** "find all …" and "every …" say nothing about the elements. */
export const ASKING =
  /^(?:(?:find|locate|get|show|list|identify|observe|detect|look for|give me|return|which|what are|where (?:is|are))\s+(?:me\s+)?(?:(?:all|every|each|any)\s+)?|(?:all|every|each|any)\s+)(?:of\s+)?(?:the\s+)?/i;

/** Answers `observe`: every element that fits, the most relevant first. */
export function answerObserve(ranker: Ranker, readings: readonly Reading[], asked: string): ObserveAnswer {
  if (isAboutEverything(asked)) return { elements: ranker.page.elements.filter(isControl).map(defaultAction) };
  const best = bestProposal(readings.flatMap((reading) => proposeReading(ranker, reading)));
  const first = best?.action ? [best.action] : [];
  const others = best ? withSameStep(best.nearest, best.action) : fitting(ranker, readings);
  return { elements: [...first, ...others.filter(({ ref }) => ref !== best?.action?.ref)] };
}

function isAboutEverything(asked: string): boolean {
  return wordsOf(asked).every(({ stem, text }) => isStopWord(text) || EVERYTHING.has(stem));
}

/** Words that leave nothing out: a word for a kind, such as "field", or for what many things are named by does. */
const EVERYTHING: ReadonlySet<string> = new Set(
  stemsOf(`
all everything every interact interactive action actionable control find click clicked clickable possible available
element thing item widget page site website screen view part app application user step content
`),
);

function isControl({ node }: Line): boolean {
  return node.role !== 'iframe';
}

/** Elements as good as the chosen one, or nearly, get what it gets. */
function withSameStep(candidates: readonly Candidate[], action: ProposedAction | null): readonly ProposedAction[] {
  const top = candidates[0];
  if (!top) return [];
  const isNear = ({ score, coverage, own }: Candidate): boolean =>
    coverage >= LEAST_COVERAGE && score >= top.score * LEAST_SHARE && own >= top.own * LEAST_OWN_SHARE;
  const near = candidates.filter(isNear);
  return near.map(({ line }) =>
    action && action.arguments.length > 0 ? actionOn(line.node, action) : defaultAction(line),
  );
}

/** A description of a kind of element rather than of one: "links in the footer". */
function fitting(ranker: Ranker, readings: readonly Reading[]): readonly ProposedAction[] {
  const plain = readings.at(-1);
  if (!plain) return [];
  return withSameStep(ranker.rank(plain.target, { roleFit: () => 1, isKindKnown: plain.target.roles !== null }), null);
}

/** What one does with an element of its kind. */
function defaultAction({ node }: Line): ProposedAction {
  if (hasOptions(node)) return actionOn(node, { method: 'select' });
  if (takesText(node)) return actionOn(node, { method: 'fill' });
  return actionOn(node, { method: isCheckable(node) && node.role !== 'radio' ? 'check' : 'click' });
}
