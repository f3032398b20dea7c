import type { Fingerprint } from '../../injected/contract.ts';
import { isPositional, namingWords, referringWords, speaksOfLandmark, wordsOf } from './instruction-words.ts';
import type { StoredElement } from './stored-step.ts';

/** An element of the page that may be the stored one. */
export interface FoundCandidate extends StoredElement {
  /** Its XPath from the main frame on. */
  readonly path: string;
}

/** By what an element was known again. */
type Sign = 'name' | 'icon' | 'attributes' | 'section' | 'row' | 'column' | 'place';

/** The one element that is the stored one, and what told so. */
export interface Recognition<C> {
  readonly candidate: C;
  readonly signs: readonly Sign[];
}

/** A stored element with its XPath from the main frame on, and the instruction that it was chosen for. */
export interface SoughtAgain extends FoundCandidate {
  readonly instruction: string;
}

/**
 * Which of the candidates is the stored element. Every text by which a person would tell it from others must still agree;
 * when none fits, or more than one, there is no answer.
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

/** Which of those that fit equally well is the stored element: what its author calls it tells first, then what is around it, then its place. */
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

/** A number in parentheses counts something, unless the instruction speaks of it. */
function isNameEqual({ fingerprint: { name: then }, instruction }: SoughtAgain, now: string): boolean {
  const [, count] = /\((\d+)\)$/.exec(then) ?? [];
  return now === then || count === undefined || !wordsOf(instruction).includes(count);
}

/** The innermost section of each must be known to the other: neither has come into a part of the page that is called otherwise. */
function areSectionsEqual({ fingerprint, instruction }: SoughtAgain, now: readonly string[]): boolean {
  const { sections: then, name } = fingerprint;
  const [innermostThen, innermostNow] = [then[0], now[0]];
  if (innermostThen === undefined) return innermostNow === undefined || isUnmistakable(instruction, name);
  return innermostNow !== undefined && now.includes(innermostThen) && then.includes(innermostNow);
}

/** Whether the instruction says the name in more than one word, so that it means the element wherever it is. */
function isUnmistakable(instruction: string, name: string): boolean {
  return namingWords(instruction, name) > 1;
}

/** A block may have moved into another landmark, unless the instruction speaks of such a part of the page. */
function isLandmarkEqual({ fingerprint, instruction }: SoughtAgain, now: string): boolean {
  if (now === fingerprint.landmark || (isMain(now) && isMain(fingerprint.landmark))) return true;
  return namingWords(instruction, fingerprint.name) > 0 && !speaksOfLandmark(instruction);
}

function isMain(landmark: string): boolean {
  return landmark === '' || landmark === 'main';
}

/** Less of a row's texts than this are too few to know it by. */
const LEAST_SHARE = 0.6;

/** Whether the row has the texts that it had: all, or all that the instruction speaks of and most of the others. */
function isRowEqual(sought: SoughtAgain, now: Fingerprint): boolean {
  const { fingerprint, instruction } = sought;
  const { row: then, name, isTitled } = fingerprint;
  if (isRowKept(sought, now)) return true;
  if (then.length === 0) return isTitled || isUnmistakable(instruction, name);
  return isTitled
    ? meantTexts(sought, then).every((text) => now.row.includes(text))
    : areTextsLike(sought, then, now.row);
}

/** Whether the row is the same; it counts as a row only beside another one, and it may hold one or several of what is sought. */
function isRowKept(sought: SoughtAgain, now: Fingerprint): boolean {
  const { fingerprint: then } = sought;
  if (areTextsEqual(then.row, now.row)) return true;
  if (then.row.length === 0) return partsAround(then).some((texts) => areTextsLike(sought, texts, now.row));
  if (now.row.length === 0) return partsAround(now).some((texts) => areTextsLike(sought, then.row, texts));
  if (isOneOfMany(then) === isOneOfMany(now)) return false;
  const [less, more] = isOneOfMany(now) ? [then.row, now.row] : [now.row, then.row];
  return less.every((text) => more.includes(text)) && isAroundEqual(sought, now);
}

/** Whether texts are the same: all, or all that the instruction speaks of and most of the others. */
function areTextsLike(sought: SoughtAgain, then: readonly string[], now: readonly string[]): boolean {
  if (areTextsEqual(then, now)) return true;
  const meant = meantTexts(sought, then);
  if (meant.length === 0 || !meant.every((text) => now.includes(text))) return false;
  const kept = then.filter((text) => now.includes(text)).length;
  return kept >= LEAST_SHARE * Math.max(then.length, now.length);
}

function meantTexts({ fingerprint: { name }, instruction }: SoughtAgain, texts: readonly string[]): readonly string[] {
  const referring = referringWords(instruction, name);
  return texts.filter((text) => wordsOf(text).some((word) => referring.has(word)));
}

/**
 * Whether what is around the element alone, and around none that is like it, is the same. Of one that had none like it this is not known:
 * it is one of the parts around it.
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

/** The texts around none of those that are like the element. */
function ownTexts({ surroundings = [], alike: { own = 0 } }: Fingerprint): readonly string[] {
  return surroundings.slice(0, own).flat();
}

/** All texts of each part around, from the nearest outward. */
function partsAround({ surroundings = [] }: Fingerprint): readonly (readonly string[])[] {
  return surroundings.map((_texts, index) => surroundings.slice(0, index + 1).flat());
}

/** Attributes by which authors name an element. */
const NAMING = ['id', 'name', 'data-testid', 'data-test-id', 'data-test', 'data-cy', 'data-qa', 'href', 'placeholder'];
/** What is set rather than pressed is the same thing when it stands in the same row or section. */
const SET_ROLES = new Set('checkbox combobox listbox radio searchbox slider spinbutton switch textbox'.split(' '));

function isKnownWithoutName({ fingerprint: then, path }: SoughtAgain, candidate: FoundCandidate): boolean {
  const now = candidate.fingerprint;
  if (then.icon !== undefined) return now.icon === then.icon;
  // Ids are made up anew more often than the rest.
  const both = NAMING.filter((name) => name !== 'id' && (name in then.attributes || name in now.attributes));
  if (both.some((name) => then.attributes[name] !== now.attributes[name])) return false;
  const isInPlace = candidate.path === path && then.attributes['id'] === now.attributes['id'];
  if (sharedAttributes(then, now) > 0 || isInPlace) return true;
  const isPlaced = areTextsEqual(then.row, now.row) && then.row.length + then.sections.length > 0;
  return isPlaced && then.alike.count === 1 && SET_ROLES.has(then.role);
}

/** What is left when, of those that fit, the ones that fit better are preferred. */
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

/** Whether its author's name for the element is that of then, and no other's; numbers in names often count places. */
function isNamedApart<C extends FoundCandidate>(
  { fingerprint: then }: SoughtAgain,
  candidate: C,
  fitting: readonly C[],
): boolean {
  const others = fitting.filter((other) => other !== candidate);
  // Of those that have left only the id is known to have been another one.
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

/** Only the place tells elements apart that are alike in all else; they are to be as many as they were. */
function sameOfAlike<C extends FoundCandidate>(
  sought: SoughtAgain,
  fitting: readonly C[],
  around: readonly C[],
): C | undefined {
  const { place, count } = sought.fingerprint.alike;
  if (fitting.length !== count) return undefined;
  return around.find(({ path, fingerprint }) => path === sought.path && fingerprint.alike.place === place);
}

/** Whether the instruction chose by position, as in "the second", which another element may have taken. */
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
