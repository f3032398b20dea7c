import type { Fingerprint } from '../injected/contract.ts';
import { isPositional, namingWords, referringWords, speaksOfLandmark, wordsOf } from './instruction-words.ts';
import type { StoredElement } from './stored-step.ts';

/** An element on the page that may be the stored one. */
export interface FoundCandidate extends StoredElement {
  /** XPath from the main frame. */
  readonly path: string;
}

/** Evidence for a match. */
type Sign = 'name' | 'icon' | 'attributes' | 'section' | 'row' | 'column' | 'place';

/** The only matching element, and the evidence for it. */
export interface Recognition<C> {
  readonly candidate: C;
  readonly signs: readonly Sign[];
}

/** A stored element with its XPath from the main frame, and the instruction that it was chosen for. */
export interface SoughtAgain extends FoundCandidate {
  readonly instruction: string;
}

/**
 * Finds the candidate that matches the stored element. All texts that distinguish the element for a person must still
 * match. Returns `undefined` if no candidate matches, or more than one.
 */
export function recognize<C extends FoundCandidate>(
  sought: SoughtAgain,
  candidates: readonly C[],
): Recognition<C> | undefined {
  const fitting = candidates.filter((candidate) => fits(sought, candidate));
  const candidate = oneOf(sought, preferred(sought, fitting));
  if (!candidate || (candidate.path !== sought.path && dependsOnPlace(sought))) return undefined;
  return { candidate, signs: signsOf(sought, candidate) };
}

/** Chooses among equal matches: by author-given attributes, then by surrounding text, then by position. */
function oneOf<C extends FoundCandidate>(sought: SoughtAgain, fitting: readonly C[]): C | undefined {
  const only = onlyOne(fitting);
  const haveOthersLeft = only && isOneOfMany(sought.fingerprint) && !isOneOfMany(only.fingerprint);
  if (only && !haveOthersLeft) return only;
  const named = onlyOne(fitting.filter((candidate) => isNamedApart(sought, candidate, fitting)));
  if (named) return named;
  const around = fitting.filter(({ fingerprint }) => isAroundEqual(sought, fingerprint));
  return onlyOne(around) ?? onlyOne(withMostAttributes(sought, around)) ?? sameOfAlike(sought, fitting, around);
}

function fits(sought: SoughtAgain, candidate: FoundCandidate): boolean {
  const [then, now] = [sought.fingerprint, candidate.fingerprint];
  return (
    candidate.frame === sought.frame &&
    now.opening === then.opening &&
    (then.isOn === undefined || now.isOn === then.isOn) &&
    (then.isFilled === undefined || now.isFilled === then.isFilled) &&
    now.title === then.title &&
    now.column === then.column &&
    areSectionsEqual(sought, now.sections) &&
    isLandmarkEqual(sought, now.landmark) &&
    isRowEqual(sought, now) &&
    (then.name === '' ? isKnownWithoutName(sought, candidate) : isNameEqual(sought, now.name))
  );
}

/** Compares the names. Ignores a count in parentheses, such as "Inbox (3)", if the instruction does not contain it. */
function isNameEqual({ fingerprint: { name: then }, instruction }: SoughtAgain, now: string): boolean {
  const [, count] = /\((\d+)\)$/.exec(then) ?? [];
  return now === then || count === undefined || !wordsOf(instruction).includes(count);
}

/**
 * True if each element's innermost section is among the sections of the other. In a section with another name, an
 * element does not match.
 */
function areSectionsEqual({ fingerprint, instruction }: SoughtAgain, now: readonly string[]): boolean {
  const { sections: then, name } = fingerprint;
  const [innermostThen, innermostNow] = [then[0], now[0]];
  if (innermostThen === undefined) return innermostNow === undefined || isUnmistakable(instruction, name);
  return innermostNow !== undefined && now.includes(innermostThen) && then.includes(innermostNow);
}

/**
 * True if the instruction shares several words with the name. Such a name identifies the element anywhere on the page.
 */
function isUnmistakable(instruction: string, name: string): boolean {
  return namingWords(instruction, name) > 1;
}

/**
 * True if the landmark matches. The element can also have moved to another landmark, unless the instruction mentions a
 * part of the page.
 */
function isLandmarkEqual({ fingerprint, instruction }: SoughtAgain, now: string): boolean {
  if (now === fingerprint.landmark || (isMain(now) && isMain(fingerprint.landmark))) return true;
  return namingWords(instruction, fingerprint.name) > 0 && !speaksOfLandmark(instruction);
}

function isMain(landmark: string): boolean {
  return landmark === '' || landmark === 'main';
}

/** Share of a row's texts that must be unchanged for the row to match. */
const MIN_SHARE = 0.6;

/** True if the row matches: all texts are equal, or all texts that the instruction mentions and most of the others. */
function isRowEqual(sought: SoughtAgain, now: Fingerprint): boolean {
  const { fingerprint, instruction } = sought;
  const { row: then, name, isTitled } = fingerprint;
  if (isRowKept(sought, now)) return true;
  if (then.length === 0) return isTitled || isUnmistakable(instruction, name);
  return isTitled
    ? meantTexts(sought, then).every((text) => now.row.includes(text))
    : areTextsLike(sought, then, now.row);
}

/**
 * True if the row matches. An element without similar ones has no row; then its surrounding texts are compared with the
 * row of the other element.
 */
function isRowKept(sought: SoughtAgain, now: Fingerprint): boolean {
  const { fingerprint: then } = sought;
  if (areTextsEqual(then.row, now.row)) return true;
  if (then.row.length === 0) return partsAround(then).some((texts) => areTextsLike(sought, texts, now.row));
  if (now.row.length === 0) return partsAround(now).some((texts) => areTextsLike(sought, then.row, texts));
  if (isOneOfMany(then) === isOneOfMany(now)) return false;
  const [less, more] = isOneOfMany(now) ? [then.row, now.row] : [now.row, then.row];
  return less.every((text) => more.includes(text)) && isAroundEqual(sought, now);
}

/** True if the texts match: all are equal, or all that the instruction mentions and most of the others. */
function areTextsLike(sought: SoughtAgain, then: readonly string[], now: readonly string[]): boolean {
  if (areTextsEqual(then, now)) return true;
  const meant = meantTexts(sought, then);
  if (meant.length === 0 || !meant.every((text) => now.includes(text))) return false;
  const kept = then.filter((text) => now.includes(text)).length;
  return kept >= MIN_SHARE * Math.max(then.length, now.length);
}

function meantTexts({ fingerprint: { name }, instruction }: SoughtAgain, texts: readonly string[]): readonly string[] {
  const referring = referringWords(instruction, name);
  return texts.filter((text) => wordsOf(text).some((word) => referring.has(word)));
}

/**
 * True if the surrounding texts of this element alone match. Also true if neither element has similar ones, or if no
 * surrounding texts were stored.
 */
function isAroundEqual(sought: SoughtAgain, now: Fingerprint): boolean {
  const { fingerprint: then } = sought;
  if (!isOneOfMany(then) && !isOneOfMany(now)) return true;
  if (!isOneOfMany(then)) return partsAround(then).some((texts) => areTextsLike(sought, texts, ownTexts(now)));
  if (!isOneOfMany(now)) return partsAround(now).some((texts) => areTextsLike(sought, ownTexts(then), texts));
  return then.surroundings === undefined || areTextsLike(sought, ownTexts(then), ownTexts(now));
}

function isOneOfMany({ alike: { count } }: Fingerprint): boolean {
  return count > 1;
}

/** Returns the surrounding texts of this element that no similar element has. */
function ownTexts({ surroundings = [], alike: { own = 0 } }: Fingerprint): readonly string[] {
  return surroundings.slice(0, own).flat();
}

/** Returns the texts of each surrounding part, from the innermost outward. */
function partsAround({ surroundings = [] }: Fingerprint): readonly (readonly string[])[] {
  return surroundings.map((_texts, index) => surroundings.slice(0, index + 1).flat());
}

/** Attributes that authors use to name an element. */
const NAMING = ['id', 'name', 'data-testid', 'data-test-id', 'data-test', 'data-cy', 'data-qa', 'href', 'placeholder'];
/**
 * Roles of elements with a value or a state. Such an element can match without a name if its row or section matches.
 */
const SET_ROLES = new Set('checkbox combobox listbox radio searchbox slider spinbutton switch textbox'.split(' '));

function isKnownWithoutName({ fingerprint: then, path }: SoughtAgain, candidate: FoundCandidate): boolean {
  const now = candidate.fingerprint;
  if (then.icon !== undefined) return now.icon === then.icon;
  // IDs are regenerated more often than other attributes.
  const both = NAMING.filter((name) => name !== 'id' && (name in then.attributes || name in now.attributes));
  if (both.some((name) => then.attributes[name] !== now.attributes[name])) return false;
  const isInPlace = candidate.path === path && then.attributes['id'] === now.attributes['id'];
  if (sharedAttributes(then, now) > 0 || isInPlace) return true;
  const isPlaced = areTextsEqual(then.row, now.row) && then.row.length + then.sections.length > 0;
  return isPlaced && then.alike.count === 1 && SET_ROLES.has(then.role);
}

/** Keeps only the best matches: by name, then by row, then by landmark. */
function preferred<C extends FoundCandidate>(sought: SoughtAgain, fitting: readonly C[]): readonly C[] {
  const { fingerprint } = sought;
  const preferences: readonly ((now: Fingerprint) => boolean)[] = [
    (now) => now.name === fingerprint.name,
    (now) => isRowKept(sought, now),
    (now) => now.landmark === fingerprint.landmark,
  ];
  return preferences.reduce<readonly C[]>((left, isBetter) => {
    const better = left.length > 1 ? left.filter((candidate) => isBetter(candidate.fingerprint)) : left;
    return better.length > 0 ? better : left;
  }, fitting);
}

/**
 * True if this candidate is the only one with the same ID, test ID or other author-given attribute as the stored
 * element. Values with digits do not count, except for `href`.
 */
function isNamedApart<C extends FoundCandidate>(
  { fingerprint: then }: SoughtAgain,
  candidate: C,
  fitting: readonly C[],
): boolean {
  const others = fitting.filter((other) => other !== candidate);
  // A single candidate can only be distinguished by ID from elements that have left the page.
  return (others.length > 0 ? NAMING : ['id']).some((name) => {
    const value = then.attributes[name];
    const isTelling = value !== undefined && (name === 'href' || !/\d/.test(value));
    const has = ({ fingerprint }: FoundCandidate): boolean => fingerprint.attributes[name] === value;
    return isTelling && has(candidate) && !others.some(has);
  });
}

function withMostAttributes<C extends FoundCandidate>(sought: SoughtAgain, fitting: readonly C[]): readonly C[] {
  const most = mostShared(sought, fitting);
  return fitting.filter(({ fingerprint }) => most > 0 && sharedAttributes(sought.fingerprint, fingerprint) === most);
}

function mostShared({ fingerprint }: SoughtAgain, fitting: readonly FoundCandidate[]): number {
  return Math.max(...fitting.map((candidate) => sharedAttributes(fingerprint, candidate.fingerprint)));
}

/** Selects one of several identical elements by position, if their number is unchanged. */
function sameOfAlike<C extends FoundCandidate>(
  sought: SoughtAgain,
  fitting: readonly C[],
  around: readonly C[],
): C | undefined {
  const { place, count } = sought.fingerprint.alike;
  if (fitting.length !== count) return undefined;
  return around.find(({ path, fingerprint }) => path === sought.path && fingerprint.alike.place === place);
}

/** True if the instruction selects by position, as in "the second". Another element can have that position now. */
function dependsOnPlace({ instruction, fingerprint }: SoughtAgain): boolean {
  const { name, title, sections, row, column } = fingerprint;
  return isPositional(instruction, [name, title, column, ...sections, ...row]);
}

function signsOf({ fingerprint: then, path }: SoughtAgain, candidate: FoundCandidate): Sign[] {
  const now = candidate.fingerprint;
  const isSign: Readonly<Record<Sign, boolean>> = {
    name: then.name !== '',
    icon: then.icon !== undefined,
    section: then.sections.length > 0,
    row: then.row.length > 0,
    column: then.column !== '',
    attributes: sharedAttributes(then, now) > 0,
    place: path === candidate.path,
  };
  return (Object.keys(isSign) as Sign[]).filter((sign) => isSign[sign]);
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
