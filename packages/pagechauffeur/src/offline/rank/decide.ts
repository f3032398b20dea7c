import type { Ordinal } from '../grammar/ordinal.ts';
import type { Phrase, TargetWord } from '../grammar/phrase.ts';
import { recordOf } from '../page/surroundings.ts';
import { stem } from '../text/stem.ts';
import { type Account, isWhole } from './account.ts';
import { isNthRecord, nthRecordElement } from './nth-record.ts';
import { likeNamed } from './like-named.ts';
import { oneWinner } from './one-winner.ts';
import type { Candidate, RankOptions, Ranker } from './ranker.ts';
import { rolesNamed } from '../grammar/kind-words.ts';
import { closest, type Line } from '../page/line.ts';
import type { PageIndex } from '../page/page-index.ts';
import { isUnnamedField, takesText } from '../page/roles.ts';
import { isLittleWord, isPlainVerb } from '../text/plain-words.ts';
import { stemsOf } from '../text/words.ts';

/** Limits the expensive word-by-word check to the candidates with the highest scores. */
const MAX_ACCOUNTED = 400;
/** Score of a record that the phrase identifies only by position. */
const RECORD_SCORE = 0.75;
/** Score factors by {@link Account.tier}, so that an exact name outranks a longer one. */
const WORTH_OF_TIER = [1, 0.95, 0.9];

export interface Understood extends Candidate {
  readonly account: Account;
}

/** Why no element matches a phrase. */
export type Mismatch =
  /** No element matches these words of the phrase together with the others. */
  | { readonly kind: 'unmatched-words'; readonly words: readonly string[] }
  /** Elements match the phrase, but their names contain more. These words are extra in the one with the fewest. */
  | { readonly kind: 'longer-name'; readonly words: readonly string[] }
  /** Fewer elements match than the requested position. */
  | { readonly kind: 'too-few'; readonly count: number };

/** Which element a phrase refers to. Without a winner, the other fields say why. */
export interface Decision {
  readonly winner: Understood | null;
  /** Candidates that match every word equally well. If there is a winner, only the winner. */
  readonly equals: readonly Understood[];
  readonly understood: readonly Understood[];
  /** All ranked candidates, best first. */
  readonly nearest: readonly Candidate[];
  /** `null` if one or several elements match. */
  readonly mismatch: Mismatch | null;
}

/**
 * Decides which element the phrase refers to. An ordinal selects among equal matches, and "any" takes the first.
 * Otherwise, exactly one element must match every word.
 */
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

/** Decides without regard to an ordinal, which may be part of the name. */
function understand(ranker: Ranker, phrase: Phrase, options: RankOptions): Decision {
  const nearest = ranker.rank(phrase, options);
  const accounted = nearest.slice(0, MAX_ACCOUNTED).map((candidate): Understood => {
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
    mismatch: mismatchOf(accounted),
  };
}

function plainest(understood: readonly Understood[]): readonly Understood[] {
  const verbs = Math.max(...understood.map(({ account }) => account.verbs));
  const withVerbs = understood.filter(({ account }) => account.verbs === verbs);
  const synonyms = Math.min(...withVerbs.map(({ account }) => account.synonyms));
  const called = withVerbs.filter(({ account }) => account.synonyms === synonyms);
  const tier = Math.min(...called.map(({ account }) => account.tier));
  const best = called.filter(({ account }) => account.tier === tier);
  const ofKind = best.filter(({ account }) => account.isOfRole);
  return ofKind.length > 0 ? ofKind : best;
}

/**
 * True if a candidate is a more specific variant of the winner. For "Register", "Register with Google" makes "Register
 * account" ambiguous.
 */
function isNarrower({ account, line }: Understood, winner: Understood): boolean {
  return (
    line.node.role === winner.line.node.role &&
    account.missing.length === 0 &&
    account.besides.length > 0 &&
    account.tier === winner.account.tier
  );
}

/** Returns what rules out the candidate with the fewest faults. */
function mismatchOf(accounted: readonly Understood[]): Mismatch | null {
  const [first] = accounted.toSorted((left, right) => faults(left) - faults(right));
  if (!first || isWhole(first.account)) return null;
  const { missing, besides } = first.account;
  return missing.length > 0 ? { kind: 'unmatched-words', words: missing } : { kind: 'longer-name', words: besides };
}

function noPosition({ word }: Ordinal): Mismatch {
  return { kind: 'unmatched-words', words: [word] };
}

function faults({ account }: Understood): number {
  return account.missing.length + account.besides.length;
}

/** Accepts the first match, for "any". */
function withFirst(decision: Decision): Decision {
  const winner = decision.equals[0] ?? null;
  return { ...decision, winner, equals: winner ? [winner] : [] };
}

/** Handles "the last Delete button", which counts elements of the same kind. */
function nthOf(ranker: Ranker, decision: Decision, ordinal: Ordinal): Decision {
  const series = seriesIn(decision);
  if (!series) return { ...decision, winner: null, equals: [], mismatch: noPosition(ordinal) };
  const winner = oneWinner(series, { ordinal, page: ranker.page });
  return winner
    ? { ...decision, winner, equals: [winner] }
    : { ...decision, winner: null, equals: [], mismatch: { kind: 'too-few', count: series.length } };
}

/**
 * Returns the only series in which a position can be counted: elements with the same name, or the elements of one list.
 * Returns `undefined` if there is none or several.
 */
function seriesIn({ understood }: Decision): readonly Understood[] | undefined {
  const names = new Set(understood.map(({ line: { node } }) => `${node.role} ${node.name}`));
  if (names.size === 1) return understood;
  // "The third photo" is ambiguous if several sections contain photos.
  const sections = [...Map.groupBy(understood, ({ line }) => line.heading).values()];
  if (sections.filter((section) => section.length > 1).length > 1) return undefined;
  const lists = Map.groupBy(understood, ({ line }) => `${(recordOf(line) ?? line).parent?.index} ${line.node.role}`);
  const several = [...lists.values()].filter((list) => list.length > 1);
  return several.length === 1 ? several[0] : undefined;
}

/** Handles "the Refund button in the second row", where the position counts rows. */
function inNthRecord(ranker: Ranker, decision: Decision, ordinal: Ordinal): Decision {
  const there = decision.understood.filter(({ line }) => {
    const record = recordOf(line);
    return record !== null && isNthRecord(ranker.page, record, ordinal);
  });
  const winner = oneWinner(there, { page: ranker.page });
  const equals = winner ? [winner] : there;
  return { ...decision, winner, equals, mismatch: there.length > 0 ? null : noPosition(ordinal) };
}

interface Otherwise {
  readonly options: RankOptions;
  readonly otherwise: Decision;
}

/** Handles "the third result", which has only a position and nouns. */
function recordDecision(ranker: Ranker, phrase: Phrase, { options, otherwise }: Otherwise): Decision {
  const { ordinal, words } = phrase;
  const isBare = words.every(
    ({ sort }) => sort === 'little' || sort === 'verb' || sort === 'noun' || sort === 'content',
  );
  const line = ordinal && isBare && options.intent === 'use' ? nthRecordElement(ranker.page, { ordinal, words }) : null;
  if (!line) return otherwise;
  const account: Account = { missing: [], besides: [], tier: 2, synonyms: 0, verbs: 0, isOfRole: false };
  const winner = { line, score: RECORD_SCORE, coverage: 1, own: 0, account };
  return { winner, equals: [winner], understood: [winner], nearest: otherwise.nearest, mismatch: null };
}

const SEARCH: ReadonlySet<string> = new Set(stemsOf('search find lookup query searchbox searchbar'));
const DIALOGS: ReadonlySet<string> = new Set(['dialog', 'alertdialog']);

/**
 * Returns other search fields if the phrase is as vague as "the search box". For a field in a dialog, only considers
 * that dialog.
 */
function otherSearchFields(page: PageIndex, phrase: Phrase, found: Line): readonly Line[] {
  if (!isSearchOnly(phrase) || !isSearchField(found)) return [];
  const dialog = closest(found, DIALOGS);
  return page.elements.filter(
    (line) => line !== found && isSearchField(line) && (dialog === null || closest(line, DIALOGS) === dialog),
  );
}

function isSearchOnly({ words, quoted, ordinal }: Phrase): boolean {
  const isPlain = quoted.length === 0 && !ordinal;
  return isPlain && words.some(isSearchWord) && words.every((word) => isSearchWord(word) || isOfAnyField(word));
}

function isSearchWord(word: TargetWord): boolean {
  return SEARCH.has(word.stem);
}

function isOfAnyField(word: TargetWord): boolean {
  const isOfNoKind = isLittleWord(word.text) || isPlainVerb(word.text);
  return isOfNoKind || rolesNamed(word.stem) !== undefined || WRITING.has(word.stem);
}

/** Verbs and nouns that fit any field. */
const WRITING: ReadonlySet<string> = new Set(
  stemsOf('type enter input write put insert paste fill clear focus bar text form'),
);

function isSearchField({ node, words, label }: Line): boolean {
  if (!takesText(node)) return false;
  const own = label && isUnnamedField(node) ? label.words : words;
  return node.role === 'searchbox' || [...own].some(([word, strength]) => strength > MIN_OWN && SEARCH.has(word));
}

/** Words of this or a lower strength are only in the description or value of a field. */
const MIN_OWN = 0.85;
