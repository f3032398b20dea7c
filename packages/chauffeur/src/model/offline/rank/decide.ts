import type { Ordinal } from '../grammar/ordinal.ts';
import type { Phrase } from '../grammar/phrase.ts';
import type { Line } from '../page/line.ts';
import { stem } from '../text/stem.ts';
import { nthRecordElement } from './nth-record.ts';
import { bestOnes, oneWinner } from './one-winner.ts';
import type { Candidate, RankOptions, Ranker } from './ranker.ts';

/** A phrase that is borne out less than this is about something else. */
const LEAST_COVERAGE = 0.6;
/** A control of another kind, or with a name that says much else, is another control. */
const LEAST_SCORE = 0.5;
/** What the n-th record of the page is worth when nothing else is said about it. */
const RECORD_SCORE = 0.75;

/** A series may fit a little less than a single element that happens to share a word. */
const NEAR_BEST = 0.85;
const TIE_IN_SERIES = 0.03;
/** A single element must fit this well to be called "the first". */
const SURE_SCORE = 0.93;

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
  if (best && best.coverage >= LEAST_COVERAGE && best.line.words.get(ordinalStem) === 1)
    return judge(asNamed, { ...phrase, ordinal: null });
  const counted = { ...phrase, words: phrase.words.filter((word) => word.stem !== ordinalStem) };
  const ranked = ranker.rank(counted, options);
  const series = seriesMeant(ranked, counted.ordinal ?? phrase.ordinal);
  const decision = series ?? judge(ranked, counted);
  const isSure = series || phrase.words.some(({ isHead }) => isHead) || (decision.winner?.score ?? 0) >= SURE_SCORE;
  return isSure && decision.winner ? decision : recordDecision(ranker, counted, { ...decision, winner: null });
}

/** "the last Delete button": the best of the series of like-named elements that is long enough to count in. */
function seriesMeant(ranked: readonly Candidate[], ordinal: Ordinal): Decision | null {
  const best = ranked.find(({ coverage }) => coverage >= LEAST_COVERAGE);
  if (!best) return null;
  const near = ranked.filter(({ coverage, score }) => coverage >= LEAST_COVERAGE && score >= best.score * NEAR_BEST);
  for (const first of near) {
    const series = near.filter(({ line, score }) => isAlike(line, first.line) && first.score - score <= TIE_IN_SERIES);
    const winner = series.length >= Math.max(2, Math.abs(ordinal.position)) ? oneWinner(series, ordinal) : null;
    if (winner) return { winner, isAmbiguous: false, nearest: near };
  }
  return null;
}

function isAlike({ node: left }: Line, { node: right }: Line): boolean {
  return left.role === right.role && left.name === right.name;
}

function judge(candidates: readonly Candidate[], phrase: Phrase): Decision {
  const nearest = candidates.filter(({ coverage, score }) => coverage >= LEAST_COVERAGE && score >= LEAST_SCORE);
  const [best] = nearest;
  if (!best) return { winner: null, isAmbiguous: false, nearest: candidates };
  const equals = bestOnes(nearest);
  const winner = phrase.ordinal?.isAny ? (equals[0] ?? null) : oneWinner(equals, phrase.ordinal);
  return { winner, isAmbiguous: winner === null, nearest };
}

/** "the third result": nothing but a position and a word for the kind. */
function recordDecision(ranker: Ranker, { words, ordinal }: Phrase, otherwise: Decision): Decision {
  const says = words.reduce((sum, { weight }) => sum + weight, 0);
  if (!ordinal || says === 0 || says > MOST_SAID) return otherwise;
  const line = nthRecordElement(ranker.page, ordinal);
  if (!line) return otherwise;
  return { winner: { line, score: RECORD_SCORE, coverage: 1, own: 0 }, isAmbiguous: false, nearest: otherwise.nearest };
}

/** A noun and its adjective; more would describe something particular. */
const MOST_SAID = 2.4;
