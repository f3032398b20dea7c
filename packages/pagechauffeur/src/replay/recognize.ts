import type { Fingerprint } from '../injected/contract.ts';
import { isPositional, namingWords, referringWords, mentionsLandmark, wordsOf } from './instruction-words.ts';
import type { StoredElement } from './stored-step.ts';

/** An element on the page that may be the stored one. */
export interface FoundCandidate extends StoredElement {
  /** XPath from the main frame. */
  readonly path: string;
}

/** What a match is based on. `place` means that the XPath is unchanged. */
type MatchReason = 'name' | 'icon' | 'attributes' | 'section' | 'row' | 'column' | 'place';

export interface Recognition<C> {
  readonly candidate: C;
  readonly reasons: readonly MatchReason[];
}

/** The stored element, and the instruction that it was chosen for. */
export interface RecognitionQuery extends FoundCandidate {
  readonly instruction: string;
}

/**
 * Finds the stored element among candidates. Everything that distinguishes the element for a user must still match.
 * Returns `undefined` if no candidate matches for certain.
 */
export function recognize<C extends FoundCandidate>(
  query: RecognitionQuery,
  candidates: readonly C[],
): Recognition<C> | undefined {
  const fitting = candidates.filter((candidate) => matches(query, candidate));
  const candidate = oneOf(query, bestMatches(query, fitting));
  if (!candidate || (candidate.path !== query.path && dependsOnPosition(query))) return undefined;
  return { candidate, reasons: matchReasons(query, candidate) };
}

/** Chooses among equal matches by author-given attributes, then by surrounding text, then by position. */
function oneOf<C extends FoundCandidate>(query: RecognitionQuery, fitting: readonly C[]): C | undefined {
  const only = onlyOne(fitting);
  const haveOthersLeft = only && isOneOfMany(query.fingerprint) && !isOneOfMany(only.fingerprint);
  if (only && !haveOthersLeft) return only;
  const named = onlyOne(fitting.filter((candidate) => isNamedApart(query, candidate, fitting)));
  if (named) return named;
  const sameContext = fitting.filter(({ fingerprint }) => isContextEqual(query, fingerprint));
  return (
    onlyOne(sameContext) ?? onlyOne(withMostAttributes(query, sameContext)) ?? byPosition(query, fitting, sameContext)
  );
}

function matches(query: RecognitionQuery, candidate: FoundCandidate): boolean {
  const [then, now] = [query.fingerprint, candidate.fingerprint];
  return (
    candidate.frame === query.frame &&
    now.opening === then.opening &&
    (then.isOn === undefined || now.isOn === then.isOn) &&
    (then.isFilled === undefined || now.isFilled === then.isFilled) &&
    now.title === then.title &&
    now.column === then.column &&
    areSectionsEqual(query, now.sections) &&
    isLandmarkEqual(query, now.landmark) &&
    isRowEqual(query, now) &&
    (then.name === '' ? isMatchWithoutName(query, candidate) : isNameEqual(query, now.name))
  );
}

/**
 * The page has already compared the names without a count, such as in "Inbox (3)". The count matters only if the
 * instruction mentions it.
 */
function isNameEqual({ fingerprint: { name: then }, instruction }: RecognitionQuery, now: string): boolean {
  const [, count] = /\((\d+)\)$/.exec(then) ?? [];
  return now === then || count === undefined || !wordsOf(instruction).includes(count);
}

/**
 * The innermost section of each element must be among the sections of the other. An unmistakable element that was in no
 * section may be in one now.
 */
function areSectionsEqual({ fingerprint, instruction }: RecognitionQuery, now: readonly string[]): boolean {
  const { sections: then, name } = fingerprint;
  const [innermostThen, innermostNow] = [then[0], now[0]];
  if (innermostThen === undefined) return innermostNow === undefined || isUnmistakable(instruction, name);
  return innermostNow !== undefined && now.includes(innermostThen) && then.includes(innermostNow);
}

/**
 * True if the instruction contains at least two words of the name. Such an element may have moved anywhere on the page.
 */
function isUnmistakable(instruction: string, name: string): boolean {
  return namingWords(instruction, name) > 1;
}

/**
 * Landmarks must be equal. If the instruction shares a word with the name and mentions no part of the page, the element
 * may have moved.
 */
function isLandmarkEqual({ fingerprint, instruction }: RecognitionQuery, now: string): boolean {
  if (now === fingerprint.landmark || (isMain(now) && isMain(fingerprint.landmark))) return true;
  return namingWords(instruction, fingerprint.name) > 0 && !mentionsLandmark(instruction);
}

function isMain(landmark: string): boolean {
  return landmark === '' || landmark === 'main';
}

/** Minimum share of the strings in a row that must be unchanged. */
const MIN_SHARE = 0.6;

/** True if the row is the same, apart from text that the instruction does not mention. */
function isRowEqual(query: RecognitionQuery, now: Fingerprint): boolean {
  const { fingerprint, instruction } = query;
  const { row: then, name, isTitled } = fingerprint;
  if (isRowKept(query, now)) return true;
  if (then.length === 0) return isTitled || isUnmistakable(instruction, name);
  return isTitled
    ? referencedTexts(query, then).every((text) => now.row.includes(text))
    : areTextsLike(query, then, now.row);
}

/**
 * True if the row is the same. Only elements with similar ones have a row, so the row of one may have to be compared
 * with the surroundings of the other.
 */
function isRowKept(query: RecognitionQuery, now: Fingerprint): boolean {
  const { fingerprint: then } = query;
  if (areTextsEqual(then.row, now.row)) return true;
  if (then.row.length === 0) return ancestorTexts(then).some((texts) => areTextsLike(query, texts, now.row));
  if (now.row.length === 0) return ancestorTexts(now).some((texts) => areTextsLike(query, then.row, texts));
  if (isOneOfMany(then) === isOneOfMany(now)) return false;
  const [less, more] = isOneOfMany(now) ? [then.row, now.row] : [now.row, then.row];
  return less.every((text) => more.includes(text)) && isContextEqual(query, now);
}

/**
 * True if the strings are equal, or if the instruction mentions some of them, and those and at least 60 % of all are
 * unchanged.
 */
function areTextsLike(query: RecognitionQuery, then: readonly string[], now: readonly string[]): boolean {
  if (areTextsEqual(then, now)) return true;
  const referenced = referencedTexts(query, then);
  if (referenced.length === 0 || !referenced.every((text) => now.includes(text))) return false;
  const kept = then.filter((text) => now.includes(text)).length;
  return kept >= MIN_SHARE * Math.max(then.length, now.length);
}

function referencedTexts(
  { fingerprint: { name }, instruction }: RecognitionQuery,
  texts: readonly string[],
): readonly string[] {
  const referring = referringWords(instruction, name);
  return texts.filter((text) => wordsOf(text).some((word) => referring.has(word)));
}

/**
 * Compares the surrounding text that only this element has. True if neither element has similar ones, or if no such
 * text was stored.
 */
function isContextEqual(query: RecognitionQuery, now: Fingerprint): boolean {
  const { fingerprint: then } = query;
  if (!isOneOfMany(then) && !isOneOfMany(now)) return true;
  if (!isOneOfMany(then)) return ancestorTexts(then).some((texts) => areTextsLike(query, texts, ownTexts(now)));
  if (!isOneOfMany(now)) return ancestorTexts(now).some((texts) => areTextsLike(query, ownTexts(then), texts));
  return then.surroundings === undefined || areTextsLike(query, ownTexts(then), ownTexts(now));
}

function isOneOfMany({ alike: { count } }: Fingerprint): boolean {
  return count > 1;
}

/** Returns the surrounding text that no similar element has. */
function ownTexts({ surroundings = [], alike: { own = 0 } }: Fingerprint): readonly string[] {
  return surroundings.slice(0, own).flat();
}

/** For each ancestor, innermost first, returns all text up to it. */
function ancestorTexts({ surroundings = [] }: Fingerprint): readonly (readonly string[])[] {
  return surroundings.map((_texts, index) => surroundings.slice(0, index + 1).flat());
}

/** Attributes that authors use to name an element. */
const NAMING = ['id', 'name', 'data-testid', 'data-test-id', 'data-test', 'data-cy', 'data-qa', 'href', 'placeholder'];
/** Attributes that an element without a name must keep. IDs are often generated, so they may differ. */
const REQUIRED_ATTRIBUTES = [...NAMING.filter((name) => name !== 'id'), 'type', 'autocomplete'];
/** Roles of form fields. A field without a name can match by its row or section. */
const SET_ROLES = new Set('checkbox combobox listbox radio searchbox slider spinbutton switch textbox'.split(' '));

function isMatchWithoutName({ fingerprint: then, path }: RecognitionQuery, candidate: FoundCandidate): boolean {
  const now = candidate.fingerprint;
  if (then.icon !== undefined) return now.icon === then.icon;
  if (REQUIRED_ATTRIBUTES.some((name) => then.attributes[name] !== now.attributes[name])) return false;
  const isAtStoredPath = candidate.path === path && then.attributes['id'] === now.attributes['id'];
  if (sharedAttributes(then, now) > 0 || isAtStoredPath) return true;
  const isInSameRow = areTextsEqual(then.row, now.row) && then.row.length + then.sections.length > 0;
  return isInSameRow && then.alike.count === 1 && SET_ROLES.has(then.role);
}

/** Prefers candidates with the same name, then the same row, then the same landmark. */
function bestMatches<C extends FoundCandidate>(query: RecognitionQuery, fitting: readonly C[]): readonly C[] {
  const { fingerprint } = query;
  const preferences: readonly ((now: Fingerprint) => boolean)[] = [
    (now) => now.name === fingerprint.name,
    (now) => isRowKept(query, now),
    (now) => now.landmark === fingerprint.landmark,
  ];
  return preferences.reduce<readonly C[]>((left, isBetter) => {
    const better = left.length > 1 ? left.filter((candidate) => isBetter(candidate.fingerprint)) : left;
    return better.length > 0 ? better : left;
  }, fitting);
}

/**
 * True if only this candidate has the stored ID, test ID or other author-given attribute. Values with digits are likely
 * generated and do not count, except for `href`.
 */
function isNamedApart<C extends FoundCandidate>(
  { fingerprint: then }: RecognitionQuery,
  candidate: C,
  fitting: readonly C[],
): boolean {
  const others = fitting.filter((other) => other !== candidate);
  // A single candidate remains after the others left the page. Only an ID proves that it is the right one.
  return (others.length > 0 ? NAMING : ['id']).some((name) => {
    const value = then.attributes[name];
    const isTelling = value !== undefined && (name === 'href' || !/\d/.test(value));
    const has = ({ fingerprint }: FoundCandidate): boolean => fingerprint.attributes[name] === value;
    return isTelling && has(candidate) && !others.some(has);
  });
}

function withMostAttributes<C extends FoundCandidate>(query: RecognitionQuery, fitting: readonly C[]): readonly C[] {
  const most = mostShared(query, fitting);
  return fitting.filter(({ fingerprint }) => most > 0 && sharedAttributes(query.fingerprint, fingerprint) === most);
}

function mostShared({ fingerprint }: RecognitionQuery, fitting: readonly FoundCandidate[]): number {
  return Math.max(...fitting.map((candidate) => sharedAttributes(fingerprint, candidate.fingerprint)));
}

/** Selects the element at the stored XPath among identical elements, if their number is unchanged. */
function byPosition<C extends FoundCandidate>(
  query: RecognitionQuery,
  fitting: readonly C[],
  sameContext: readonly C[],
): C | undefined {
  const { place: position, count } = query.fingerprint.alike;
  if (fitting.length !== count) return undefined;
  return sameContext.find(({ path, fingerprint }) => path === query.path && fingerprint.alike.place === position);
}

/** True if the instruction selects by position. Another element can be at that position now. */
function dependsOnPosition({ instruction, fingerprint }: RecognitionQuery): boolean {
  const { name, title, sections, row, column } = fingerprint;
  return isPositional(instruction, [name, title, column, ...sections, ...row]);
}

function matchReasons({ fingerprint: then, path }: RecognitionQuery, candidate: FoundCandidate): MatchReason[] {
  const now = candidate.fingerprint;
  const isMatching: Readonly<Record<MatchReason, boolean>> = {
    name: then.name !== '',
    icon: then.icon !== undefined,
    section: then.sections.length > 0,
    row: then.row.length > 0,
    column: then.column !== '',
    attributes: sharedAttributes(then, now) > 0,
    place: path === candidate.path,
  };
  return (Object.keys(isMatching) as MatchReason[]).filter((reason) => isMatching[reason]);
}

function sharedAttributes({ attributes: then }: Fingerprint, { attributes: now }: Fingerprint): number {
  return NAMING.filter((name) => then[name] !== undefined && then[name] === now[name]).length;
}

function areTextsEqual(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((text) => other.includes(text));
}

function onlyOne<C>(candidates: readonly C[]): C | undefined {
  return candidates.length === 1 ? candidates[0] : undefined;
}
