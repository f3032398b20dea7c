import type { Phrase } from '../grammar/phrase.ts';
import { stem } from '../text/stem.ts';
import { nthRecordElement } from './nth-record.ts';
import { bestOnes, oneWinner } from './one-winner.ts';
import type { Candidate, RankOptions, Ranker } from './ranker.ts';

/** A phrase that is borne out less than this is about something else. */
const LEAST_COVERAGE = 0.6;
/** What the n-th record of the page is worth when nothing else is said about it. */
const RECORD_SCORE = 0.75;

/** What a phrase led to: one element, or several alike, or none good enough; the nearest ones in any case. */
export interface Decision {
  readonly winner: Candidate | null;
  readonly isAmbiguous: boolean;
  /** Best first. */
  readonly nearest: readonly Candidate[];
}

/** Decides which element a phrase means. */
export function decide(ranker: Ranker, phrase: Phrase, options: RankOptions): Decision {
  const asNamed = ranker.rank(phrase, options);
  if (!phrase.ordinal || phrase.ordinal.isAny) return judge(asNamed, phrase);
  const [best] = asNamed;
  const ordinalStem = stem(phrase.ordinal.word);
  if (best && best.coverage >= LEAST_COVERAGE && best.line.words.get(ordinalStem) === 1) return judge(asNamed, { ...phrase, ordinal: null });
  const counted = { ...phrase, words: phrase.words.filter((word) => word.stem !== ordinalStem) };
  const decision = judge(ranker.rank(counted, options), counted);
  return decision.winner ? decision : recordDecision(ranker, counted, decision);
}

function judge(candidates: readonly Candidate[], phrase: Phrase): Decision {
  const nearest = candidates.filter(({ coverage }) => coverage >= LEAST_COVERAGE);
  const [best] = nearest;
  if (!best) return { winner: null, isAmbiguous: false, nearest: candidates };
  const equals = bestOnes(nearest);
  const winner = phrase.ordinal?.isAny ? (equals[0] ?? null) : oneWinner(equals, phrase.ordinal);
  return { winner, isAmbiguous: winner === null, nearest };
}

/** "the third result": nothing but a position and a word for the kind. */
function recordDecision(ranker: Ranker, { words, ordinal }: Phrase, otherwise: Decision): Decision {
  const says = words.reduce((sum, { weight }) => sum + weight, 0);
  if (!ordinal || says > MOST_SAID) return otherwise;
  const line = nthRecordElement(ranker.page, ordinal);
  if (!line) return otherwise;
  return { winner: { line, score: RECORD_SCORE, coverage: 1 }, isAmbiguous: false, nearest: otherwise.nearest };
}

/** A noun and its adjective; more would describe something particular. */
const MOST_SAID = 2.4;
