import { generatedText, isTextMarker, mayHaveGeneratedText } from '../../aria/generated-text.ts';
import { isInertByStyle, styleOf } from '../../styles/computed-style.ts';
import { isMaskedStyle } from '../../aria/masked-text.ts';
import { attributeOf, firstElementOf, hasAttributes, parentElementOf } from '../../native.ts';
import { isCoordinate, isMarkName } from '../../aria/states.ts';
import { isSeen } from '../../element/visibility.ts';
import { type Legibility, legibilityOf } from './painting/contrast.ts';
import type { TagFacts } from '../../tree/tags.ts';
import { isHand } from '../../styles/noted-rules.ts';
import { isReplaced } from './painting/opaque-parts.ts';
import { type StyleRules, UNIQUE } from '../../styles/style-rules.ts';
import { allProperties, classNamesIn, type PropertyGroup } from '../../styles/declared-properties.ts';
import { inheritedVisibility, type StyleVisibility, styleVisibility } from './css-visibility.ts';

/** Disabled controls of most libraries have an opacity from 0.25 to 0.6. */
const MAX_FADED_OPACITY = 0.6;

/** The white space of text that users see. `all`: line breaks and the spaces at the beginning of lines. */
type KeptSpace = 'none' | 'breaks' | 'all';

const KEPT_SPACE: ReadonlyMap<string, KeptSpace> = new Map([
  ['preserve', 'all'],
  ['break-spaces', 'all'],
  ['preserve-breaks', 'breaks'],
]);

/**
 * The computed style of elements with the same `StyleKey.key` whose parents share a style. Reading styles is slow, so
 * only that of the first element is read.
 */
export class SharedStyle {
  /** The computed style of the first element. Sizes and positions in it are not shared. */
  readonly css: CSSStyleDeclaration;
  readonly #element: Element;
  readonly #rules: StyleRules | null;
  readonly #isShared: boolean;
  readonly #below = new Map<string, SharedStyle>();
  #isSeen: boolean | null = null;
  #display: string | null = null;
  #position: string | null = null;
  #isPointer: boolean | null = null;
  #isCaret: boolean | null = null;
  #isClickThrough: boolean | null = null;
  #forbidsClicks: boolean | null = null;
  #legibility: Legibility | null = null;
  #isInPlace: boolean | null = null;
  #keepsLetters: boolean | null = null;
  #generatesText: boolean | null = null;
  #hasTextMarker: boolean | null = null;
  #textVisibility: StyleVisibility | null = null;
  #isPlainInline: boolean | null = null;
  #isFaded: boolean | null = null;
  #isInert: boolean | null = null;
  #mayBeSpaced: boolean | null = null;
  #keptSpace: KeptSpace | null = null;

  /**
   * `rules`: all that can change the initial values of the properties; `null` if something else can. `isShared`: other
   * elements may have this style.
   */
  constructor(element: Element, rules: StyleRules | null, isShared: boolean) {
    this.#element = element;
    this.#rules = rules;
    this.#isShared = isShared;
    this.css = styleOf(element);
  }

  below(key: string, element: Element, rules: StyleRules | null): SharedStyle {
    const known = this.#below.get(key);
    if (known) return known;
    const style = new SharedStyle(element, rules, true);
    this.#below.set(key, style);
    return style;
  }

  get isSeen(): boolean {
    this.#isSeen ??= isSeen(this.#element);
    return this.#isSeen;
  }

  /** `''` if the element is not in the flat tree. */
  get display(): string {
    this.#display ??= this.css.display;
    return this.#display;
  }

  get position(): string {
    this.#position ??= this.isInPlace ? 'static' : this.css.position;
    return this.#position;
  }

  get isPointer(): boolean {
    this.#isPointer ??= isHand(this.css.cursor);
    return this.#isPointer;
  }

  /** By default, text has `cursor: auto`. */
  get isCaret(): boolean {
    this.#isCaret ??= this.css.cursor === 'text';
    return this.#isCaret;
  }

  get isClickThrough(): boolean {
    this.#isClickThrough ??= this.css.pointerEvents === 'none';
    return this.#isClickThrough;
  }

  /** True if the cursor shows that clicks do nothing. */
  get forbidsClicks(): boolean {
    this.#forbidsClicks ??= this.css.cursor === 'not-allowed';
    return this.#forbidsClicks;
  }

  /** True if the element is faded, as disabled controls are. */
  get isFaded(): boolean {
    this.#isFaded ??= Number(this.css.opacity) <= MAX_FADED_OPACITY;
    return this.#isFaded;
  }

  get isInert(): boolean {
    this.#isInert ??= isInertByStyle(this.css);
    return this.#isInert;
  }

  get legibility(): Legibility {
    this.#legibility ??= legibilityOf(this.#element, this.css);
    return this.#legibility;
  }

  /** True if neither `text-transform` nor a mask changes the text. */
  get keepsLetters(): boolean {
    this.#keepsLetters ??= this.css.textTransform === 'none' && !isMaskedStyle(this.css);
    return this.#keepsLetters;
  }

  /** False if the style may position the box, clip its content, or start a stacking context. Ignores transforms. */
  get isInPlace(): boolean {
    this.#isInPlace ??= this.#isInitial('box');
    return this.#isInPlace;
  }

  get generatesText(): boolean {
    this.#generatesText ??= generatesText(this.#element);
    return this.#generatesText;
  }

  /** True if items of a list have a text as their marker. */
  get hasTextMarker(): boolean {
    this.#hasTextMarker ??= isTextMarker(this.css.listStyleType);
    return this.#hasTextMarker;
  }

  /** True if margin, padding or border may leave a gap beside an inline box. Attributes place the parts of a drawing. */
  get mayBeSpaced(): boolean {
    this.#mayBeSpaced ??=
      this.#element instanceof SVGElement || !this.#isSpacingShared() || !this.#isInitial('spacing');
    return this.#mayBeSpaced;
  }

  #isSpacingShared(): boolean {
    if (!this.#rules) return !this.#isShared;
    return this.#rules.isSpacingShared || this.#rules.declared.of(this.#element, 'spacing').length === 0;
  }

  get keptSpace(): KeptSpace {
    this.#keptSpace ??= KEPT_SPACE.get(this.css.whiteSpaceCollapse) ?? 'none';
    return this.#keptSpace;
  }

  /** How the style affects the visibility of text, wherever the box is. */
  get textVisibility(): StyleVisibility {
    this.#textVisibility ??= this.#isInitial('hiding')
      ? inheritedVisibility(this.css)
      : styleVisibility(this.#element, this.css);
    return this.#textVisibility;
  }

  /** True if these properties have their initial values. Reads only those that a rule may have changed. */
  #isInitial(group: PropertyGroup): boolean {
    const { css } = this;
    const properties = this.#rules ? this.#rules.declared.of(this.#element, group) : allProperties(group);
    for (let index = 0; index < properties.length; index += 2)
      if (css.getPropertyValue(properties[index] ?? '') !== properties[index + 1]) return false;
    return true;
  }

  /** True for an inline box in place that shows its text as written. */
  get isPlainInline(): boolean {
    this.#isPlainInline ??=
      this.isSeen &&
      this.display === 'inline' &&
      this.isInPlace &&
      this.textVisibility === 'clear' &&
      this.keepsLetters &&
      !this.generatesText;
    return this.#isPlainInline;
  }
}

function generatesText(element: Element): boolean {
  if (isReplaced(element) || drawsNoGeneratedBox(element) || !mayHaveGeneratedText(element)) return false;
  return generatedText(element, '::before', 'text') !== null || generatedText(element, '::after', 'text') !== null;
}

/** Chromium draws no `::before` in parts of a drawing and in line breaks. */
function drawsNoGeneratedBox(element: Element): boolean {
  return element instanceof SVGElement || element instanceof HTMLBRElement;
}

/** Attributes that set styles, or that the browser's default style sheet uses. */
const STYLE_ATTRIBUTES: ReadonlySet<string> = new Set(
  (
    'align background bgcolor border class color contenteditable dir disabled face frame height hidden inert lang nowrap open popover ' +
    'rules size start style type valign width'
  ).split(' '),
);

/** Separates the parts of a key. Parsers replace this character in attributes. */
const BREAK = '\0';

export interface StyleKey {
  /**
   * Elements with equal keys have the same style if their parents share a style. `null` if the element may have its
   * own.
   */
  readonly key: string | null;
  readonly isMarked: boolean;
  readonly hasTitle: boolean;
  /** Number of attributes with the position of a cell, such as `data-row`. */
  readonly coordinates: number;
  /** True if the rules are all that can change the style: there is no `style` attribute, for example. */
  readonly isStyledByRules: boolean;
}

/**
 * How an attribute contributes to the key: `none`; `name` or `value`; `id`, the value if a rule has that id; `classes`, those
 * of its classes that rules use.
 */
type KeyPart = 'none' | 'name' | 'value' | 'id' | 'classes';

interface AttributeFacts {
  readonly isMark: boolean;
  readonly isTitle: boolean;
  readonly isCoordinate: boolean;
  /** True if the attribute sets styles beyond those of the rules. */
  readonly isStyle: boolean;
  /** True if elements with the attribute never share a style: none shows whether a popover is in the top layer. */
  readonly isSingle: boolean;
  readonly part: KeyPart;
}

/** Computes the keys under which elements of one document share a style. */
export class StyleKeys {
  readonly #rules: StyleRules | null;
  readonly #factsByAttribute = new Map<string, AttributeFacts>();
  readonly #usedClasses = new Map<string, string>();

  /** With `null`, no elements share a style. */
  constructor(rules: StyleRules | null) {
    this.#rules = rules;
  }

  of(element: Element, { tag, isStyledByState, isClippedByDefault }: TagFacts): StyleKey {
    const rules = this.#rules;
    let isSingle = rules === null || !(element instanceof HTMLElement) || rules.single.has(element);
    isSingle ||= isStyledByState && !isFirstSummary(element, tag);
    let isStyledByRules = !isClippedByDefault;
    let isMarked = false;
    let hasTitle = false;
    let key = tag;
    let coordinates = 0;
    const names = hasAttributes(element) ? Element.prototype.getAttributeNames.call(element) : NO_NAMES;
    for (let index = 0; index < names.length; index += 1) {
      const name = names[index] ?? '';
      const facts = this.#factsByAttribute.get(name) ?? this.#factsOf(name);
      isMarked ||= facts.isMark;
      hasTitle ||= facts.isTitle;
      if (facts.isCoordinate) coordinates += 1;
      isStyledByRules &&= !facts.isStyle;
      isSingle ||= facts.isSingle;
      if (!isSingle && facts.part !== 'none') key += this.#partOf(element, name, facts.part);
    }
    return {
      key: isSingle || !rules ? null : withMark(key, element, rules),
      isMarked,
      hasTitle,
      coordinates,
      isStyledByRules,
    };
  }

  #partOf(element: Element, name: string, part: KeyPart): string {
    if (part === 'name') return `${BREAK}${name}`;
    const value = attributeOf(element, name) ?? '';
    if (part === 'value') return `${BREAK}${name}=${value}`;
    if (part === 'classes') return this.#usedClassesOf(value);
    return this.#rules?.ids?.has(value) !== false
      ? `${BREAK}#${value}`
      : this.#rules.attributes.has(name)
        ? `${BREAK}id`
        : '';
  }

  #usedClassesOf(value: string): string {
    const known = this.#usedClasses.get(value);
    if (known !== undefined) return known;
    const classes = classNamesIn(value).filter((name) => this.#rules?.classes?.has(name));
    const used = classes.length === 0 ? '' : `${BREAK}.${classes.join(' ')}`;
    this.#usedClasses.set(value, used);
    return used;
  }

  #factsOf(name: string): AttributeFacts {
    const facts: AttributeFacts = {
      isMark: isMarkName(name),
      isTitle: name === 'title',
      isCoordinate: isCoordinate(name),
      isStyle: name === 'style' || name === 'hidden',
      isSingle: name === 'popover',
      part: this.#keyPartOf(name),
    };
    this.#factsByAttribute.set(name, facts);
    return facts;
  }

  #keyPartOf(name: string): KeyPart {
    const isSelected = this.#rules?.attributes.has(name) ?? false;
    if (name === 'id') return 'id';
    if (name === 'class' && !isSelected && this.#rules?.classes) return 'classes';
    if (name === 'href' || (UNIQUE.has(name) && isSelected)) return 'name';
    return STYLE_ATTRIBUTES.has(name) || isSelected ? 'value' : 'none';
  }
}

const NO_NAMES: readonly string[] = [];

/** True for a `summary` at the start of its parent. The browser styles the first one in `details` as its button. */
function isFirstSummary(element: Element, tag: string): boolean {
  if (tag !== 'summary') return false;
  const parent = parentElementOf(element);
  return parent !== null && firstElementOf(parent) === element;
}

function withMark(key: string, element: Element, { marks, states }: StyleRules): string {
  const mark = marks.size === 0 ? undefined : marks.get(element);
  const state = states.size === 0 ? undefined : states.get(element);
  if (mark === undefined && state === undefined) return key;
  return `${key}${BREAK}${state ?? ''}${BREAK}${mark ?? ''}`;
}
