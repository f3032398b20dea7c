import { takesPress } from '../snapshot/clickable/listened.ts';
import { foldSpace } from '../aria/text-builder.ts';
import { labelsOf } from '../aria/references.ts';
import { composedParent } from '../tree/composed-tree.ts';
import { visitElements } from '../tree/composed-walk.ts';
import type { ElementSearchQuery, Fingerprint, Identification, MatchCandidates } from '../contract.ts';
import { withReadCache, memoised } from '../memo.ts';
import { nameOf } from '../aria/name.ts';
import {
  areaValueOf,
  attributeOf,
  inputValueOf,
  isContentEditable,
  localNameOf,
  renderedTextOf,
  textContentOf,
} from '../native.ts';
import { elementsWithRole, roleOf } from '../aria/role.ts';
import { statesOf } from '../aria/states.ts';
import { isNotRendered } from '../element/visibility.ts';
import { xpathOf } from '../tree/xpath.ts';
import { haveSamePurpose, lastingAttributes, nameTheSame } from './lasting-attributes.ts';
import { columnOf, isInRowWith, rowOf } from './row.ts';
import { sectionsOf, titleOf, withoutCount } from './sections.ts';
import { ownRings, type Ring, ringsOf } from './surroundings.ts';
import { elementOfRef, refOf } from '../refs.ts';

/** Maximum characters of text that replaces a missing name. */
const LONGEST_WORDS = 100;
const LONGEST_NAME = 200;
/** Characters of SVG path data or image URL that identify an icon. */
const LONGEST_ICON = 120;

const OPENINGS: ReadonlySet<string> = new Set(['expanded', 'collapsed']);
/** Roles that a click toggles. Elements with `aria-pressed` count too. */
const SWITCHES: ReadonlySet<string> = new Set(['checkbox', 'switch', 'menuitemcheckbox']);
const TYPED_INTO: ReadonlySet<string> = new Set(['combobox', 'searchbox', 'spinbutton', 'textbox']);
const ON: ReadonlySet<string> = new Set(['checked', 'pressed']);
const LANDMARKS: ReadonlySet<string> = new Set(
  'alertdialog banner complementary contentinfo dialog main navigation search'.split(' '),
);

export function fingerprintOf(element: Element, identification: Identification): Fingerprint {
  return withReadCache(() => {
    const facts = factsOf(element);
    const alike =
      identification === 'alone' ? UNCOUNTED : positionAmong(element, alikeByIdentity(namesakesInRow(facts)));
    return { ...facts, surroundings: surroundingsOf(element), alike };
  });
}

/** All elements must have the same role and name. */
function fingerprintsOf(elements: readonly Element[]): Fingerprint[] {
  const alike = alikeByIdentity(elements);
  return elements.map((element) => ({
    ...factsOf(element),
    surroundings: surroundingsOf(element),
    alike: positionAmong(element, alike),
  }));
}

/**
 * Returns elements with the same name whose rows may have the same text. Looks only for the first string of the row,
 * which is much faster than comparing everything.
 */
function namesakesInRow(facts: Facts): readonly Element[] {
  const [text] = facts.row;
  const sameNameElements = elementsLike(facts);
  return text === undefined
    ? sameNameElements
    : sameNameElements.filter((sameNameElement) => isInRowWith(sameNameElement, text));
}

const UNCOUNTED: Fingerprint['alike'] = { place: 0, count: 0 };

function alikeByIdentity(sameNameElements: readonly Element[]): ReadonlyMap<string, readonly Element[]> {
  return Map.groupBy(sameNameElements, (element) => identityOf(identityFactsOf(element)));
}

function positionAmong(element: Element, alike: ReadonlyMap<string, readonly Element[]>): Fingerprint['alike'] {
  const equals = alike.get(identityOf(identityFactsOf(element))) ?? [element];
  const index = equals.indexOf(element);
  if (equals.length === 1) return { place: index, count: 1 };
  return { place: index, count: equals.length, own: ownRings(ancestorRings(element), equals) };
}

function surroundingsOf(element: Element): readonly (readonly string[])[] {
  return ancestorRings(element).map(({ texts }) => texts);
}

const ancestorRings: (element: Element) => readonly Ring[] = memoised((element: Element) =>
  ringsOf(element, identityFactsOf(element)),
);

/** True if the element still matches the fingerprint, including its place among equal elements if that is stored. */
export function isSame(element: Element, known: Fingerprint): boolean {
  return withReadCache(() => {
    if (roleOf(element) !== known.role || knownName(element) !== known.name || !isInUse(element)) return false;
    const facts = factsOf(element);
    if (identityOf(facts) !== identityOf(known)) return false;
    if (
      facts.opening !== known.opening ||
      (known.isOn !== undefined && facts.isOn !== known.isOn) ||
      (known.isFilled !== undefined && facts.isFilled !== known.isFilled) ||
      facts.landmark !== known.landmark ||
      !nameTheSame(facts.attributes, known.attributes) ||
      (known.name === '' && !haveSamePurpose(facts.attributes, known.attributes))
    )
      return false;
    return known.alike.count === 0 || isSameOfAlike(fingerprintOf(element, 'among'), known);
  });
}

/** With more candidates, the search returns none. */
const MAX_CANDIDATES = 1500;

export function findAgain(queries: readonly ElementSearchQuery[]): MatchCandidates {
  return withReadCache(() => ({
    candidates: queries.map(candidatesFor),
    population: populationOf(queries.map(({ role }) => role)),
  }));
}

function candidatesFor(query: ElementSearchQuery): MatchCandidates['candidates'][number] {
  const elements = elementsLike(query);
  if (elements.length > MAX_CANDIDATES) return [];
  const fingerprints = fingerprintsOf(elements);
  return elements.flatMap((element, index) => {
    const fingerprint = fingerprints[index];
    return fingerprint ? [{ ref: refOf(element), ...fingerprint }] : [];
  });
}

/** Returns `null` for an element that left the document. */
export function fingerprintsOfRefs(refs: readonly number[], identification: Identification): (Fingerprint | null)[] {
  return withReadCache(() =>
    refs.map((ref) => {
      const element = elementOfRef(ref);
      return element && fingerprintOf(element, identification);
    }),
  );
}

function populationOf(roles: readonly string[]): Record<string, number> {
  return Object.fromEntries(roles.map((role) => [role, elementsInUse(role).length]));
}

/**
 * Returns the usable elements with a role and name, in document order. Unnamed `generic` elements without an icon
 * differ only in position, so they match nothing.
 */
function elementsLike({ role, name, icon = '' }: ElementSearchQuery): Element[] {
  const wanted = withoutCount(name);
  if (role === 'generic' && wanted === '' && icon === '') return [];
  return elementsWithRole(document, role).filter(
    (element) =>
      withoutCount(knownName(element)) === wanted &&
      (wanted !== '' || icon === '' || iconOf(element) === icon) &&
      isInUse(element),
  );
}

function elementsInUse(role: string): readonly Element[] {
  return elementsWithRole(document, role).filter(isInUse);
}

/** An unrendered control is usable if its label is rendered or it is a file input. */
const isInUse: (element: Element) => boolean = memoised((element: Element) => {
  if (!isNotRendered(element)) return true;
  if (!(element instanceof HTMLInputElement)) return false;
  return element.type === 'file' || labelsOf(element).some((label) => !isNotRendered(label));
});

/** Falls back to the text of an element without a name, such as a list item. */
const knownName: (element: Element) => string = memoised(
  (element: Element) => nameOf(element).slice(0, LONGEST_NAME) || contentText(element),
);

const VALUED: ReadonlySet<string> = new Set(['select', 'textarea', 'input']);

// The text of an editor is its value, and the text of a `select` is its options.
function contentText(element: Element): string {
  if (VALUED.has(localNameOf(element)) || (element instanceof HTMLElement && isContentEditable(element))) return '';
  if ((textContentOf(element) ?? '').length > LONGEST_WORDS * 2) return '';
  const words = foldSpace(renderedTextOf(element));
  return words.length > LONGEST_WORDS ? '' : words;
}

type Facts = Omit<Fingerprint, 'alike' | 'surroundings'>;
type IdentityFacts = Pick<Facts, 'name' | 'icon' | 'title' | 'sections' | 'row' | 'isTitled' | 'column'>;

const factsOf: (element: Element) => Facts = memoised((element: Element) => {
  const role = roleOf(element);
  const states = statesOf(element);
  const isSwitch = SWITCHES.has(role) || attributeOf(element, 'aria-pressed') !== null;
  const text = TYPED_INTO.has(role) ? typedText(element) : undefined;
  return {
    ...identityFactsOf(element),
    role,
    xpath: xpathOf(element),
    opening: states.find((state) => OPENINGS.has(state)) ?? '',
    ...(isSwitch && { isOn: states.some((state) => ON.has(state)) }),
    ...(text !== undefined && { isFilled: text !== '' }),
    ...(takesPress(element) && { takesPress: true }),
    attributes: lastingAttributes(element),
    landmark: landmarkOf(element),
  };
});

/** Runs for every element with the same name, so it reads only the facts that distinguish them. */
const identityFactsOf: (element: Element) => IdentityFacts = memoised((element: Element) => {
  const name = knownName(element);
  const sections = sectionsOf(element);
  const row = rowOf(element, name, sections);
  const icon = name === '' ? iconOf(element) : '';
  return {
    name,
    ...(icon !== '' && { icon }),
    sections,
    title: titleOf(),
    row: row.texts,
    isTitled: row.isTitled,
    column: columnOf(element),
  };
});

/** Returns `undefined` for an element that is neither a text field nor editable. */
function typedText(element: Element): string | undefined {
  if (element instanceof HTMLInputElement) return inputValueOf(element);
  if (element instanceof HTMLTextAreaElement) return areaValueOf(element);
  if (!(element instanceof HTMLElement && isContentEditable(element))) return undefined;
  return (textContentOf(element) ?? '').trim();
}

function identityOf({ name, icon, title, sections, row, column }: IdentityFacts): string {
  return JSON.stringify([name, icon, title, sections, row, column]);
}

/** Position distinguishes elements with equal facts, but only while none is added, removed or replaced. */
function isSameOfAlike(now: Fingerprint, then: Fingerprint): boolean {
  if (now.alike.count !== then.alike.count || now.alike.place !== then.alike.place) return false;
  return now.alike.count === 1 || JSON.stringify(ownTexts(now)) === JSON.stringify(ownTexts(then));
}

function ownTexts({ surroundings = [], alike: { own = 0 } }: Fingerprint): readonly string[] {
  return surroundings.slice(0, own).flat();
}

function landmarkOf(element: Element): string {
  for (let node = composedParent(element); node; node = composedParent(node)) {
    const role = roleOf(node);
    if (LANDMARKS.has(role)) return role;
  }
  return '';
}

/** Concatenates SVG paths, `use` references and image URLs inside the element. */
function iconOf(element: Element): string {
  let icon = '';
  const visit = (part: Element): void => {
    if (icon.length < LONGEST_ICON) icon += drawingOf(part);
  };
  visit(element);
  visitElements(element, visit);
  return icon.slice(0, LONGEST_ICON);
}

function drawingOf(element: Element): string {
  switch (localNameOf(element)) {
    case 'path':
      return attributeOf(element, 'd') ?? '';
    case 'use':
      return attributeOf(element, 'href') ?? attributeOf(element, 'xlink:href') ?? '';
    case 'img':
      return (attributeOf(element, 'src') ?? '').replace(/[?#].*$/s, '');
    case 'polyline':
    case 'polygon':
      return attributeOf(element, 'points') ?? '';
    default:
      return '';
  }
}
