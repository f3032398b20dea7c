import { generatedText, mayHaveGeneratedText } from '../../aria/generated-text.ts';
import { styleOf } from '../../computed-style.ts';
import { attributeOf, hasAttributes } from '../../native.ts';
import { isMarkName } from '../../marks.ts';
import { isSeen } from '../../visibility.ts';
import { drawsText } from './contrast.ts';
import { type StyleRules, UNIQUE } from './style-rules.ts';
import { HIDING_PROPERTIES, inheritedVisibility, type StyleVisibility, styleVisibility } from './css-visibility.ts';

/** Cursors that suggest a click or a drag. */
const HANDS: ReadonlySet<string> = new Set(
  (
    'pointer zoom-in zoom-out grab grabbing move col-resize row-resize ew-resize ns-resize nesw-resize nwse-resize ' +
    'n-resize e-resize s-resize w-resize ne-resize nw-resize se-resize sw-resize'
  ).split(' '),
);

/**
 * The computed style of elements with the same `StyleKey.key` whose parents share a style. Reading styles is slow, so
 * only that of the first element is read.
 */
export class SharedStyle {
  /** The computed style of the first element. Sizes and positions in it are not shared. */
  readonly css: CSSStyleDeclaration;
  readonly #element: Element;
  readonly #rules: StyleRules | null;
  readonly #below = new Map<string, SharedStyle>();
  #isSeen: boolean | null = null;
  #display: string | null = null;
  #position: string | null = null;
  #isPointer: boolean | null = null;
  #isCaret: boolean | null = null;
  #drawsText: boolean | null = null;
  #isInPlace: boolean | null = null;
  #keepsLetters: boolean | null = null;
  #generatesText: boolean | null = null;
  #textVisibility: StyleVisibility | null = null;
  #isPlainInline: boolean | null = null;

  /** `rules`: all that can change the initial values of the properties; `null` if unknown. */
  constructor(element: Element, rules: StyleRules | null) {
    this.#element = element;
    this.#rules = rules;
    this.css = styleOf(element);
  }

  below(key: string, element: Element, rules: StyleRules | null): SharedStyle {
    const known = this.#below.get(key);
    if (known) return known;
    const style = new SharedStyle(element, rules);
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
    this.#position ??= this.#isDeclared('position') ? this.css.position : 'static';
    return this.#position;
  }

  get isPointer(): boolean {
    this.#isPointer ??= HANDS.has(this.css.cursor);
    return this.#isPointer;
  }

  /** By default, text has `cursor: auto`. */
  get isCaret(): boolean {
    this.#isCaret ??= this.css.cursor === 'text';
    return this.#isCaret;
  }

  get drawsText(): boolean {
    this.#drawsText ??= drawsText(this.#element, this.css);
    return this.#drawsText;
  }

  /** True if `text-transform` changes nothing. */
  get keepsLetters(): boolean {
    this.#keepsLetters ??= this.css.textTransform === 'none';
    return this.#keepsLetters;
  }

  /** False if the style may position the box, clip its content, or start a stacking context. Ignores transforms. */
  get isInPlace(): boolean {
    this.#isInPlace ??= this.position === 'static' && this.#isInitial(BOX_PROPERTIES);
    return this.#isInPlace;
  }

  get generatesText(): boolean {
    this.#generatesText ??= generatesText(this.#element);
    return this.#generatesText;
  }

  /** How the style affects the visibility of text, wherever the box is. */
  get textVisibility(): StyleVisibility {
    this.#textVisibility ??= this.#isInitial(HIDING_PROPERTIES)
      ? inheritedVisibility(this.css)
      : styleVisibility(this.#element, this.css);
    return this.#textVisibility;
  }

  /** True if these properties have their initial values. Reads only those that a rule may have changed. */
  #isInitial(initialValues: Readonly<Record<string, string>>): boolean {
    for (const property in initialValues)
      if (this.#isDeclared(property) && this.css.getPropertyValue(property) !== initialValues[property]) return false;
    return true;
  }

  #isDeclared(property: string): boolean {
    const declared = this.#rules?.declared;
    return !declared || declared.has(property) || declared.has(LOGICAL_NAMES[property] ?? property);
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
  if (!mayHaveGeneratedText(element)) return false;
  return generatedText(element, '::before') !== null || generatedText(element, '::after') !== null;
}

/** Properties that may clip the content or start a stacking context, with their initial values. */
const BOX_PROPERTIES = {
  contain: 'none',
  filter: 'none',
  isolation: 'auto',
  'mix-blend-mode': 'normal',
  opacity: '1',
  'overflow-x': 'visible',
  'overflow-y': 'visible',
  'will-change': 'auto',
  'z-index': 'auto',
} as const;

/** Logical properties that set the same value in horizontal text. */
const LOGICAL_NAMES: Readonly<Record<string, string>> = {
  'margin-left': 'margin-inline-start',
  'margin-top': 'margin-block-start',
  'overflow-x': 'overflow-inline',
  'overflow-y': 'overflow-block',
};

/** Tags whose style depends on state, or on more than attributes. */
const TAGS_WITH_STATE: ReadonlySet<string> = new Set(
  (
    'audio body canvas details dialog embed fieldset form frame frameset html iframe input legend marquee math meter object optgroup option ' +
    'progress select selectedcontent slot summary svg textarea video'
  ).split(' '),
);
/** Attributes that set styles, or that the browser's default style sheet uses. */
const STYLE_ATTRIBUTES: ReadonlySet<string> = new Set(
  (
    'align background bgcolor border class color contenteditable dir disabled face frame height hidden inert lang nowrap open popover ' +
    'rules size start style type valign width'
  ).split(' '),
);

/** Tags for which the browser's default style sheet sets one of the properties above. */
const TAGS_WITH_DEFAULTS: ReadonlySet<string> = new Set(['hr', 'img']);

export interface StyleKey {
  /**
   * Elements with equal keys have the same style if their parents share a style. `null` if the element may have its
   * own.
   */
  readonly key: string | null;
  readonly isMarked: boolean;
  readonly hasTitle: boolean;
  /** True if the rules are all that can change the style: there is no `style` attribute, for example. */
  readonly isStyledByRules: boolean;
}

export function styleKeyOf(element: Element, tag: string, rules: StyleRules | null): StyleKey {
  const isShared =
    rules !== null && element instanceof HTMLElement && !TAGS_WITH_STATE.has(tag) && !rules.single.has(element);
  if (!hasAttributes(element))
    return {
      key: isShared ? withMark(tag, element, rules) : null,
      isMarked: false,
      hasTitle: false,
      isStyledByRules: !TAGS_WITH_DEFAULTS.has(tag),
    };
  let isStyledByRules = !TAGS_WITH_DEFAULTS.has(tag);
  let isMarked = false;
  let hasTitle = false;
  let isSingle = !isShared;
  let key = tag;
  for (const name of Element.prototype.getAttributeNames.call(element)) {
    isMarked ||= isMarkName(name);
    hasTitle ||= name === 'title';
    isStyledByRules &&= name !== 'style' && name !== 'hidden';
    // No attribute shows whether a popover is in the top layer.
    isSingle ||= name === 'popover';
    if (isSingle || rules === null) continue;
    if (name === 'id') {
      const id = attributeOf(element, name) ?? '';
      key += rules.ids.has(id) ? ` #${id}` : rules.attributes.has(name) ? ' id' : '';
    } else if (name === 'href' || (UNIQUE.has(name) && rules.attributes.has(name))) key += ` ${name}`;
    else if (STYLE_ATTRIBUTES.has(name) || rules.attributes.has(name))
      key += ` ${name}=${attributeOf(element, name) ?? ''}`;
  }
  const isOwn = isSingle || rules === null;
  return { key: isOwn ? null : withMark(key, element, rules), isMarked, hasTitle, isStyledByRules };
}

function withMark(key: string, element: Element, { marks, states }: StyleRules): string {
  const mark = marks.size === 0 ? undefined : marks.get(element);
  const state = states.size === 0 ? undefined : states.get(element);
  if (mark === undefined && state === undefined) return key;
  return `${key} ${state ?? ''} ${mark ?? ''}`;
}
