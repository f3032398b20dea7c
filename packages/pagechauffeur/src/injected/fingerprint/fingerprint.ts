import { foldSpace } from '../aria/spoken-text.ts';
import { composedParent } from '../composed-tree.ts';
import { visitElements } from '../composed-walk.ts';
import type { Fingerprint, Identification, ElementSearchQuery } from '../contract.ts';
import { duringReading, memoised } from '../memo.ts';
import { nameOf } from '../name.ts';
import {
  areaValueOf,
  attributeOf,
  inputValueOf,
  isContentEditable,
  localNameOf,
  renderedTextOf,
  textContentOf,
} from '../native.ts';
import { roleOf } from '../role.ts';
import { statesOf } from '../states.ts';
import { isNotRendered } from '../visibility.ts';
import { xpathOf } from '../xpath.ts';
import { lastingAttributes, nameTheSame } from './lasting-attributes.ts';
import { columnOf, isInRowWith, rowOf } from './row.ts';
import { sectionsOf, titleOf, withoutCount } from './sections.ts';
import { ownRings, type Ring, ringsOf } from './surroundings.ts';

/** An element without a name is known by this much of its text, if that is all it has. */
const LONGEST_WORDS = 100;
/** Names are told up to this length. */
const LONGEST_NAME = 200;
/** So much is told of what pictures are drawn with. */
const LONGEST_ICON = 120;

const OPENINGS: ReadonlySet<string> = new Set(['expanded', 'collapsed']);
/** A click turns these on and off, as it does what says whether it is pressed. */
const SWITCHES: ReadonlySet<string> = new Set(['checkbox', 'switch', 'menuitemcheckbox']);
/** Text that is typed into these is added to what is there. */
const TYPED_INTO: ReadonlySet<string> = new Set(['combobox', 'searchbox', 'spinbutton', 'textbox']);
const ON: ReadonlySet<string> = new Set(['checked', 'pressed']);
const LANDMARKS: ReadonlySet<string> = new Set(
  'alertdialog banner complementary contentinfo dialog main navigation search'.split(' '),
);

/** By what an element can be found again on a page that has changed. */
export function fingerprintOf(element: Element, identification: Identification): Fingerprint {
  return duringReading(() => {
    const facts = factsOf(element);
    const alike = identification === 'alone' ? UNCOUNTED : placeAmong(element, alikeByIdentity(namesakesInRow(facts)));
    return { ...facts, surroundings: surroundingsOf(element), alike };
  });
}

/** The fingerprints of all elements of one role and name. */
export function fingerprintsOf(elements: readonly Element[]): Fingerprint[] {
  const alike = alikeByIdentity(elements);
  return elements.map((element) => ({
    ...factsOf(element),
    surroundings: surroundingsOf(element),
    alike: placeAmong(element, alike),
  }));
}

/** Those of its sameNameElements that may be like an element: which row is theirs is found out much sooner than all else. */
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

function placeAmong(element: Element, alike: ReadonlyMap<string, readonly Element[]>): Fingerprint['alike'] {
  const equals = alike.get(identityOf(identityFactsOf(element))) ?? [element];
  const place = equals.indexOf(element);
  if (equals.length === 1) return { place, count: 1 };
  return { place, count: equals.length, own: ownRings(ringsAround(element), equals) };
}

function surroundingsOf(element: Element): readonly (readonly string[])[] {
  return ringsAround(element).map(({ texts }) => texts);
}

const ringsAround: (element: Element) => readonly Ring[] = memoised((element: Element) =>
  ringsOf(element, identityFactsOf(element)),
);

/** Whether an element is the one that a fingerprint was taken of, as far as all texts and names of it and around it tell. */
export function isSame(element: Element, known: Fingerprint): boolean {
  return duringReading(() => {
    if (roleOf(element) !== known.role || knownName(element) !== known.name || !isInUse(element)) return false;
    const facts = factsOf(element);
    if (identityOf(facts) !== identityOf(known)) return false;
    if (
      facts.opening !== known.opening ||
      (known.isOn !== undefined && facts.isOn !== known.isOn) ||
      (known.isFilled !== undefined && facts.isFilled !== known.isFilled) ||
      facts.landmark !== known.landmark ||
      !nameTheSame(facts.attributes, known.attributes)
    )
      return false;
    return known.alike.count === 0 || isSameOfAlike(fingerprintOf(element, 'among'), known);
  });
}

/** All elements in use of a role and name, in document order; none for what has neither, which only its place tells from others. */
export function elementsLike({ role, name, icon = '' }: ElementSearchQuery): Element[] {
  const wanted = withoutCount(name);
  if (role === 'generic' && wanted === '' && icon === '') return [];
  return elementsInUse(role).filter(
    (element) =>
      withoutCount(knownName(element)) === wanted && (wanted !== '' || icon === '' || iconOf(element) === icon),
  );
}

/** All elements in use of a role, in document order. */
export function elementsInUse(role: string): readonly Element[] {
  return (elementsByRole(document).get(role) ?? []).filter(isInUse);
}

const elementsByRole: (root: Document) => ReadonlyMap<string, readonly Element[]> = memoised((root: Document) => {
  const byRole = new Map<string, Element[]>();
  visitElements(root, (element) => {
    const role = roleOf(element);
    const known = byRole.get(role);
    if (known) known.push(element);
    else byRole.set(role, [element]);
  });
  return byRole;
});

/** Whether a person can come upon the element; a control that is not rendered is worked through its label or another button. */
const isInUse: (element: Element) => boolean = memoised((element: Element) => {
  if (!isNotRendered(element)) return true;
  if (!(element instanceof HTMLInputElement)) return false;
  return element.type === 'file' || [...(element.labels ?? [])].some((label) => !isNotRendered(label));
});

/** The accessible name; of a part of the page that has none, such as an item of a list, its words. */
const knownName: (element: Element) => string = memoised(
  (element: Element) => nameOf(element).slice(0, LONGEST_NAME) || wordsOf(element),
);

const VALUED: ReadonlySet<string> = new Set(['select', 'textarea', 'input']);

// The text of an editor is its value, that of a list to choose from are its options.
function wordsOf(element: Element): string {
  if (VALUED.has(localNameOf(element)) || (element instanceof HTMLElement && isContentEditable(element))) return '';
  if ((textContentOf(element) ?? '').length > LONGEST_WORDS * 2) return '';
  const words = foldSpace(renderedTextOf(element));
  return words.length > LONGEST_WORDS ? '' : words;
}

type Facts = Omit<Fingerprint, 'alike' | 'surroundings'>;
/** By what an element is told from all that are not like it. */
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
    attributes: lastingAttributes(element),
    landmark: landmarkOf(element),
  };
});

/** These alone are found out of all sameNameElements of an element. */
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

/** What a person has typed into an element, or may add to. */
function typedText(element: Element): string | undefined {
  if (element instanceof HTMLInputElement) return inputValueOf(element);
  if (element instanceof HTMLTextAreaElement) return areaValueOf(element);
  if (!(element instanceof HTMLElement && isContentEditable(element))) return undefined;
  return (textContentOf(element) ?? '').trim();
}

function identityOf({ name, icon, title, sections, row, column }: IdentityFacts): string {
  return JSON.stringify([name, icon, title, sections, row, column]);
}

/** Where several are alike, the place tells them apart; it does so only while none came or went, and none took another's place. */
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

/** What the pictures inside an element are drawn with. */
function iconOf(element: Element): string {
  let icon = '';
  const look = (part: Element): void => {
    if (icon.length < LONGEST_ICON) icon += drawingOf(part);
  };
  look(element);
  visitElements(element, look);
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
