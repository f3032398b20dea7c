import type { Ordinal } from '../grammar/ordinal.ts';
import type { Phrase } from '../grammar/phrase.ts';
import { recordOf } from '../page/surroundings.ts';
import { stem } from '../text/stem.ts';
import { type Account, isWhole } from './account.ts';
import { isNthRecord, nthRecordElement } from './nth-record.ts';
import { likeNamed } from './like-named.ts';
import { oneWinner } from './one-winner.ts';
import { otherSearchFields } from './search-fields.ts';
import type { Candidate, RankOptions, Ranker } from './ranker.ts';

/** So many of the best candidates are looked at word by word. */
const MOST_ACCOUNTED = 400;
/** What the n-th record of the page is worth when nothing else is said about it. */
const RECORD_SCORE = 0.75;
/** An element named in full goes before one whose name says more. */
const WORTH_OF_TIER = [1, 0.95, 0.9];

/** A candidate that accounts for every word. */
export interface Understood extends Candidate {
  readonly account: Account;
}

/** What a phrase led to: one element, or several alike, or none that accounts for every word. */
export interface Decision {
  readonly winner: Understood | null;
  /** Those that account for every word equally well; one when it is the winner. */
  readonly equals: readonly Understood[];
  /** All that account for every word. */
  readonly understood: readonly Understood[];
  /** The nearest ones, best first. */
  readonly nearest: readonly Candidate[];
  /** Words that the nearest one does not account for. */
  readonly missing: readonly string[];
  /** How many there are, when none stands at the position that was said. */
  readonly tooFew?: number;
}

/** Decides which element a phrase means: the one that accounts for every word of it. */
export function decide(ranker: Ranker, phrase: Phrase, options: RankOptions): Decision {
  const { ordinal } = phrase;
  const asNamed = understand(ranker, phrase, options);
  if (!ordinal || ordinal.isAny || asNamed.understood.length > 0) return ordinal?.isAny ? withFirst(asNamed) : asNamed;
  const ordinalStem = stem(ordinal.word);
  const counted = { ...phrase, words: phrase.words.filter((word) => word.stem !== ordinalStem) };
  const decision = understand(ranker, counted, { ...options, isSeries: true });
  if (decision.understood.length > 0)
    return phrase.isOrdinalAside ? inNthRecord(ranker, decision, ordinal) : nthOf(ranker, decision, ordinal);
  return recordDecision(ranker, { ...counted, ordinal }, { options, otherwise: decision });
}

/** The candidates that account for every word, and which of them is meant. */
function understand(ranker: Ranker, phrase: Phrase, options: RankOptions): Decision {
  const nearest = ranker.rank(phrase, options);
  const accounted = nearest.slice(0, MOST_ACCOUNTED).map((candidate): Understood => {
    const account = ranker.account(candidate.line, phrase, options);
    return { ...candidate, account, score: candidate.score * (WORTH_OF_TIER[account.tier] ?? 1) };
  });
  const understood = accounted.filter(({ account }) => isWhole(account));
  const equals = plainest(understood);
  const winner = oneWinner(equals, { page: ranker.page });
  const narrower = winner && winner.account.tier > 0 ? accounted.filter((other) => isNarrower(other, winner)) : [];
  const alike = winner
    ? [...otherSearchFields(ranker.page, phrase, winner.line), ...likeNamed(ranker.page, phrase, winner)]
    : [];
  const rivals = [...narrower, ...alike.map((line) => winner && { ...winner, line }).filter((other) => other !== null)];
  return {
    winner: rivals.length > 0 ? null : winner,
    equals: winner ? [winner, ...rivals] : equals,
    understood,
    nearest,
    missing: missingOf(accounted),
  };
}

/** Those that are called most like what was said. */
function plainest(understood: readonly Understood[]): readonly Understood[] {
  const verbs = Math.max(...understood.map(({ account }) => account.verbs));
  const called = understood.filter(({ account }) => account.verbs === verbs);
  const tier = Math.min(...called.map(({ account }) => account.tier));
  const best = called.filter(({ account }) => account.tier === tier);
  const ofKind = best.filter(({ account }) => account.isOfRole);
  return ofKind.length > 0 ? ofKind : best;
}

/** "Register" may mean "Register account", or "Register with Google" beside it. */
function isNarrower({ account, line }: Understood, winner: Understood): boolean {
  return (
    line.node.role === winner.line.node.role &&
    account.missing.length === 0 &&
    account.besides.length > 0 &&
    account.tier === winner.account.tier
  );
}

/** What keeps the nearest one from being meant: words that are not borne out, or what else its name says. */
function missingOf(accounted: readonly Understood[]): readonly string[] {
  const [first] = accounted.toSorted((left, right) => faults(left) - faults(right));
  return first ? [...first.account.missing, ...first.account.besides] : [];
}

function faults({ account }: Understood): number {
  return account.missing.length + account.besides.length;
}

/** A person who says "any" takes whichever comes first. */
function withFirst(decision: Decision): Decision {
  const winner = decision.equals[0] ?? null;
  return { ...decision, winner, equals: winner ? [winner] : [] };
}

/** "the last Delete button": one of a series of elements of one kind. */
function nthOf(ranker: Ranker, decision: Decision, ordinal: Ordinal): Decision {
  const series = seriesIn(decision);
  if (!series) return { ...decision, winner: null, equals: [], missing: [ordinal.word] };
  const winner = oneWinner(series, { ordinal, page: ranker.page });
  return winner
    ? { ...decision, winner, equals: [winner] }
    : { ...decision, winner: null, equals: [], missing: [ordinal.word], tooFew: series.length };
}

/** The one series that can be counted in: of one name all over the page, or in rows or siblings of one list. */
function seriesIn({ understood }: Decision): readonly Understood[] | undefined {
  const names = new Set(understood.map(({ line: { node } }) => `${node.role} ${node.name}`));
  if (names.size === 1) return understood;
  // "the third photo", where each of several headings has three: nobody knows under which.
  const sections = [...Map.groupBy(understood, ({ line }) => line.heading).values()];
  if (sections.filter((section) => section.length > 1).length > 1) return undefined;
  const lists = Map.groupBy(understood, ({ line }) => `${(recordOf(line) ?? line).parent?.index} ${line.node.role}`);
  const several = [...lists.values()].filter((list) => list.length > 1);
  return several.length === 1 ? several[0] : undefined;
}

/** "the Refund button in the second row": the position is that of the row. */
function inNthRecord(ranker: Ranker, decision: Decision, ordinal: Ordinal): Decision {
  const there = decision.understood.filter(({ line }) => {
    const record = recordOf(line);
    return record !== null && isNthRecord(ranker.page, record, ordinal);
  });
  const winner = oneWinner(there, { page: ranker.page });
  return { ...decision, winner, equals: winner ? [winner] : there, missing: there.length > 0 ? [] : [ordinal.word] };
}

interface Otherwise {
  readonly options: RankOptions;
  readonly otherwise: Decision;
}

/** "the third result": nothing but a position and a word for the kind of thing. */
function recordDecision(ranker: Ranker, phrase: Phrase, { options, otherwise }: Otherwise): Decision {
  const { ordinal, words } = phrase;
  const isBare = words.every(
    ({ sort }) => sort === 'little' || sort === 'verb' || sort === 'noun' || sort === 'content',
  );
  const line = ordinal && isBare && options.intent === 'use' ? nthRecordElement(ranker.page, { ordinal, words }) : null;
  if (!line) return otherwise;
  const account: Account = { missing: [], besides: [], tier: 2, verbs: 0, isOfRole: false };
  const winner = { line, score: RECORD_SCORE, coverage: 1, own: 0, account };
  return { winner, equals: [winner], understood: [winner], nearest: otherwise.nearest, missing: [] };
}
