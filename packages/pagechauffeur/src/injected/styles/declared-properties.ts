import { attributeOf, getter, localNameOf } from '../native.ts';
import { attributeSelector } from '../tree/document-queries.ts';

/** Properties that the walk reads of each style, with their initial values. They are not inherited. */
export const INITIAL_VALUES = {
  /** Those that may clip the content or start a stacking context. */
  box: {
    'animation-name': 'none',
    'backdrop-filter': 'none',
    contain: 'none',
    'content-visibility': 'visible',
    filter: 'none',
    'grid-row-start': 'auto',
    isolation: 'auto',
    'mask-image': 'none',
    'mix-blend-mode': 'normal',
    opacity: '1',
    'overflow-x': 'visible',
    'overflow-y': 'visible',
    perspective: 'none',
    position: 'static',
    'transform-style': 'flat',
    'view-transition-name': 'none',
    '-webkit-box-reflect': 'none',
    'will-change': 'auto',
    'z-index': 'auto',
  },
  /** Those that may hide or move text. */
  hiding: {
    'backface-visibility': 'visible',
    'clip-path': 'none',
    'content-visibility': 'visible',
    filter: 'none',
    'margin-left': '0px',
    'margin-top': '0px',
    'mask-image': 'none',
    'offset-path': 'none',
    opacity: '1',
    position: 'static',
    rotate: 'none',
    scale: 'none',
    transform: 'none',
    translate: 'none',
    zoom: '1',
  },
  /** Those that may leave a gap between inline boxes on the same line. */
  spacing: {
    'border-left-width': '0px',
    'border-right-width': '0px',
    'margin-left': '0px',
    'margin-right': '0px',
    'padding-left': '0px',
    'padding-right': '0px',
  },
} as const;

export type PropertyGroup = keyof typeof INITIAL_VALUES;

/** Names of properties, each followed by its initial value. */
type Properties = readonly string[];

const ALL: Readonly<Record<PropertyGroup, Properties>> = {
  box: Object.entries(INITIAL_VALUES.box).flat(),
  hiding: Object.entries(INITIAL_VALUES.hiding).flat(),
  spacing: Object.entries(INITIAL_VALUES.spacing).flat(),
};

/** Logical properties that can set the same value. The writing mode decides which one does. */
const LOGICAL_MARGINS = ['margin-inline-start', 'margin-inline-end', 'margin-block-start', 'margin-block-end'];
const LOGICAL_OVERFLOW = ['overflow-inline', 'overflow-block'];
const LOGICAL_PADDINGS = ['padding-inline-start', 'padding-inline-end'];
const LOGICAL_BORDERS = ['border-inline-start-width', 'border-inline-end-width'];
const LOGICAL_NAMES: Readonly<Record<string, readonly string[]>> = {
  'border-left-width': LOGICAL_BORDERS,
  'border-right-width': LOGICAL_BORDERS,
  'margin-left': LOGICAL_MARGINS,
  'margin-right': LOGICAL_MARGINS,
  'margin-top': LOGICAL_MARGINS,
  'overflow-x': LOGICAL_OVERFLOW,
  'overflow-y': LOGICAL_OVERFLOW,
  'padding-left': LOGICAL_PADDINGS,
  'padding-right': LOGICAL_PADDINGS,
};

/** A set of properties of each group, as bits in the order of `INITIAL_VALUES`. */
interface PropertySet extends Record<PropertyGroup, number> {}

const NOTHING: Readonly<PropertySet> = { box: 0, hiding: 0, spacing: 0 };

/** The properties of each group that a declaration may change. */
const CHANGED_BY: ReadonlyMap<string, Readonly<PropertySet>> = changesByDeclaration();

function changesByDeclaration(): ReadonlyMap<string, Readonly<PropertySet>> {
  const changes = new Map<string, PropertySet>();
  for (const group of ['box', 'hiding', 'spacing'] as const)
    Object.keys(INITIAL_VALUES[group]).forEach((property, index) => {
      for (const name of [property, ...(LOGICAL_NAMES[property] ?? []), 'all']) {
        const set = changes.get(name) ?? { ...NOTHING };
        set[group] |= 1 << index;
        changes.set(name, set);
      }
    });
  return changes;
}

/** Only negative margins move text. Of a shorthand with variables, the longhand properties have no value yet. */
export function mayBeNegative(property: string, style: CSSStyleDeclaration): boolean {
  return MAYBE_NEGATIVE.test(style.getPropertyValue(property));
}

const MAYBE_NEGATIVE = /^(?:-|$)|[(]/;

/** Returns what the declaration may change. `null` for one that only repeats initial values. */
function changesOf(property: string, style: CSSStyleDeclaration): Readonly<PropertySet> | null {
  const changes = CHANGED_BY.get(property) ?? null;
  const isMargin = property.startsWith('margin-');
  if (changes === null || property === 'all' || (changes.spacing === 0 && !isMargin)) return changes;
  const spacing = ZERO.test(style.getPropertyValue(property)) ? 0 : changes.spacing;
  const hiding = isMargin && mayBeNegative(property, style) ? changes.hiding : 0;
  return spacing + hiding === 0 ? null : { ...changes, hiding, spacing };
}

const ZERO = /^0(?:px)?$/;

/** The properties that rules set, by the tag, class or id that an element needs to match the rule. */
export class DeclaredProperties {
  /** True if a rule sets `interactivity`. */
  setsInteractivity = false;
  readonly #bySubject = new Map<string, PropertySet>();
  readonly #byClasses = new Map<string, Readonly<PropertySet>>();
  readonly #lists: Readonly<Record<PropertyGroup, Map<number, Properties>>> = {
    box: new Map(),
    hiding: new Map(),
    spacing: new Map(),
  };

  /** Returns true if the declarations may set spacing. */
  note(selector: string, style: CSSStyleDeclaration): boolean {
    let subjects: readonly string[] | null = null;
    let setsSpacing = false;
    const { length } = style;
    for (let index = 0; index < length; index += 1) {
      const property = style[index] ?? '';
      if (property === 'interactivity') this.setsInteractivity = true;
      const changes = changesOf(property, style);
      if (!changes) continue;
      setsSpacing ||= changes.spacing !== 0;
      subjects ??= subjectsOf(selector);
      for (const subject of subjects) this.#add(subject, changes);
    }
    return setsSpacing;
  }

  #add(subject: string, { box, hiding, spacing }: Readonly<PropertySet>): void {
    const known = this.#bySubject.get(subject);
    if (!known) this.#bySubject.set(subject, { box, hiding, spacing });
    else {
      known.box |= box;
      known.hiding |= hiding;
      known.spacing |= spacing;
    }
  }

  /** Returns those that a rule may set on the element, with their initial values. */
  of(element: Element, group: PropertyGroup): Properties {
    const id = attributeOf(element, 'id');
    const classes = attributeOf(element, 'class');
    const set =
      this.#ofSubject(ANY, group) |
      this.#ofSubject(localNameOf(element), group) |
      (id === null ? 0 : this.#ofSubject(`#${id}`, group)) |
      (classes === null ? 0 : this.#ofClasses(classes)[group]);
    return this.#listOf(set, group);
  }

  #ofSubject(subject: string, group: PropertyGroup): number {
    return this.#bySubject.get(subject)?.[group] ?? 0;
  }

  #ofClasses(value: string): Readonly<PropertySet> {
    const known = this.#byClasses.get(value);
    if (known) return known;
    const set: PropertySet = { ...NOTHING };
    for (const name of classNamesIn(value)) {
      set.box |= this.#ofSubject(`.${name}`, 'box');
      set.hiding |= this.#ofSubject(`.${name}`, 'hiding');
      set.spacing |= this.#ofSubject(`.${name}`, 'spacing');
    }
    this.#byClasses.set(value, set);
    return set;
  }

  #listOf(set: number, group: PropertyGroup): Properties {
    const known = this.#lists[group].get(set);
    if (known) return known;
    const list = Object.entries(INITIAL_VALUES[group])
      .filter((_, index) => (set & (1 << index)) !== 0)
      .flat();
    this.#lists[group].set(set, list);
    return list;
  }
}

/** Returns the properties that may change if the rules are unknown. */
export function allProperties(group: PropertyGroup): Properties {
  return ALL[group];
}

/** Splits a `class` attribute like the browser: `\s` would also match spaces that are part of a name. */
export function classNamesIn(value: string): readonly string[] {
  return value.split(/[\t\n\f\r ]+/).filter((name) => name !== '');
}

/** The subject of rules that any element may match. */
const ANY = '*';

/** Returns an id, a class or a tag that all elements need that match the selector, for each selector of a list. */
function subjectsOf(selector: string): readonly string[] {
  if (UNUSUAL.test(selector) || isInQuirksMode()) return [ANY];
  let plain = selector.replace(attributeSelector, '');
  for (let before = ''; plain !== before;) {
    before = plain;
    plain = plain.replace(ARGUMENTS, ':_');
  }
  if (plain.includes('(')) return [ANY];
  return plain.split(',').flatMap((single) => subjectOf(LAST_COMPOUND.exec(single)?.[0] ?? ''));
}

/** In quirks mode, classes and ids ignore case. */
export function isInQuirksMode(): boolean {
  return compatModeOf(document) === 'BackCompat';
}

const compatModeOf = getter<Document, string>(Document.prototype, 'compatMode');
/** Matches escapes and letters beyond ASCII. */
const UNUSUAL = /[\\\u0080-\uFFFF]/;
const ARGUMENTS = /:[\w-]+\([^()]*\)/g;
const LAST_COMPOUND = /[^\s>+~]+(?=\s*$)/;

function subjectOf(compound: string): string | readonly never[] {
  if (PSEUDO_ELEMENT.test(compound)) return [];
  const name = /#[\w-]+/.exec(compound) ?? /\.[\w-]+/.exec(compound);
  return name?.[0] ?? /^[a-z][\w-]*/i.exec(compound)?.[0].toLowerCase() ?? ANY;
}

/** Its style is not that of the element. */
const PSEUDO_ELEMENT = /::|:(?:before|after|first-line|first-letter)\b/;
