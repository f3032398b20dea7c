import { isMaskedField, isMaskedStyle } from './masked-text.ts';
import { flatChildren, shadowRootOf } from '../tree/composed-tree.ts';
import { styleOf } from '../styles/computed-style.ts';
import { isEditingHost } from '../element/controls.ts';
import { hasMarks } from './states.ts';
import { memoised } from '../memo.ts';
import {
  attributeOf,
  contains,
  hasAttribute,
  localNameOf,
  matches,
  parentElementOf,
  queryAll,
  queryCount,
  textContentOf,
} from '../native.ts';
import { roleOf } from './role.ts';
import { isNotRendered } from '../element/visibility.ts';
import { ariaLabelOf, ownedElements, referencedElements } from './references.ts';
import { generatedText, mayHaveGeneratedText } from './generated-text.ts';
import { popupsInLabel } from './label-popups.ts';
import { nameByTag } from './native-name.ts';
import { controlRoles, rolesApartFromNames, rolesNamedByContent } from './role-names.ts';
import { foldSpace, TextBuilder } from './text-builder.ts';
import { ariaAttributeOf } from '../exploration/element-internals.ts';

interface Naming {
  /** The element to name. Its own text is skipped in its label. `null` if that makes no difference. */
  readonly named: Element | null;
  /** True inside a referenced element, such as an `aria-labelledby` target, where content counts whatever its role. */
  readonly isReferenced: boolean;
  /** True inside a hidden element that is referenced, where hidden content counts too. */
  readonly includesHidden: boolean;
  /** True if the element is named by its own content. Nested text can then be cached. */
  readonly isPlain: boolean;
  /** Popups in the label that is read, which do not count. */
  readonly popups?: ReadonlySet<Element> | undefined;
}

/** Returns the content of `element` as it counts in the name of `named`. */
export function contentText(element: Element, named: Element = element, popups?: ReadonlySet<Element>): string {
  const isPlain = named === element;
  const known = isPlain ? knownContent(element) : null;
  if (known?.builder) return known.builder.text;
  const builder = new TextBuilder();
  appendContent(builder, element, { named, isReferenced: false, includesHidden: false, isPlain, popups });
  if (known) known.builder = builder;
  return builder.text;
}

/** Without this cache, nested buttons would be read again for each ancestor. */
const knownContent = memoised((_element: Element): { builder: TextBuilder | null } => ({ builder: null }));

/** Returns the text of a referenced element, such as an `aria-labelledby` target, as it counts for `named`. */
function referencedText(element: Element, named: Element): string {
  return dependsOnlyOnContent(element, named) ? sharedText(element) : readReference(element, named);
}

/** Cached, because many elements may refer to the same long text. */
const sharedText = memoised((element: Element): string => readReference(element, null));

/** True if the text is the same for all elements that refer to it, and changes only with the content. */
function dependsOnlyOnContent(element: Element, named: Element): boolean {
  return hasOnlyContent(element) && !contains(element, named);
}

const hasOnlyContent = memoised((element: Element): boolean => {
  const isPlain = queryCount(element, DEPENDENT) === 0 && !matches(element, DEPENDENT);
  return isPlain && [element, ...queryAll(element, '*')].every((inner) => shadowRootOf(inner) === null);
});

/** Elements whose text depends on other elements, on their state or on the layout. */
const DEPENDENT = '[aria-labelledby], [aria-owns], input, select, textarea, slot, table, details, fieldset, figure';

function readReference(element: Element, named: Element | null): string {
  const label = ariaLabelOf(element);
  if (label !== '') return label;
  const builder = new TextBuilder();
  const naming: Naming = { named, isReferenced: true, includesHidden: isHiddenReference(element), isPlain: false };
  const role = roleOf(element);
  const own = element === named ? null : embeddedValue(element, role) || attributedText(element, naming);
  if (own !== null && own !== '') return own;
  appendContent(builder, element, naming);
  return builder.text.trim() === '' ? (attributeOf(element, 'title') ?? '') : builder.text;
}

/** Returns `''` for a hidden label. */
export function labelText(label: Element, named: Element): string {
  if (isHiddenReference(label)) return '';
  const own = ariaLabelOf(label);
  const popups = label instanceof HTMLLabelElement ? popupsInLabel(label) : undefined;
  return own || contentText(label, named, popups).trim() || (attributeOf(label, 'title') ?? '');
}

export function textByReference(element: Element, attribute: string): string {
  return referencedElements(element, attribute)
    .map((reference) => referencedText(reference, element))
    .join(' ');
}

function isHiddenReference(element: Element): boolean {
  return isNotRendered(element) || attributeOf(element, 'aria-hidden') === 'true';
}

/** Limits the recursion into names inside names, such as a fieldset inside a legend. */
const MAX_NAMES = 50;
let nameDepth = 0;
/** Elements that this name already includes through `aria-owns`, which can form cycles. */
const taken = new Set<Element>();

function appendContent(builder: TextBuilder, element: Element, naming: Naming): void {
  if (nameDepth === MAX_NAMES) return builder.add(textContentOf(element) ?? '');
  if (nameDepth === 0) taken.clear();
  nameDepth += 1;
  try {
    appendParts(partOf(builder, element, naming), naming);
  } finally {
    nameDepth -= 1;
  }
}

/** An element whose content is being read. Kept on an explicit stack, because recursion overflows on deep pages. */
interface Part {
  readonly element: Element;
  readonly builder: TextBuilder;
  readonly textTransform: string;
  readonly isMasked: boolean;
  readonly isExposed: boolean;
  readonly isGenerated: boolean;
  readonly nodes: readonly Node[];
  /** Elements from `aria-owns`. They follow the child nodes. */
  readonly owned: readonly Element[];
  index: number;
  readonly finish?: () => void;
}

function appendParts(outermost: Part, naming: Naming): void {
  const parts = [outermost];
  for (let part = parts[0]; part; part = parts.at(-1)) {
    const node = takeNode(part);
    if (node instanceof Text) {
      if (part.isExposed) part.builder.add(shownLetters(node.data, part));
    } else if (node instanceof Element) {
      const inner = appendElement(part.builder, node, naming);
      if (inner) parts.push(inner);
    } else if (node === null) {
      if (part.isGenerated) appendGenerated(part.builder, part.element, '::after');
      part.finish?.();
      parts.pop();
    }
  }
}

function partOf(builder: TextBuilder, element: Element, { includesHidden }: Naming): Part {
  const style = styleOf(element);
  const { visibility, textTransform } = style;
  const isExposed = includesHidden || visibility === 'visible';
  const isGenerated = isExposed && mayHaveGeneratedText(element);
  if (isGenerated) appendGenerated(builder, element, '::before');
  const nodes = shownNodes(element);
  const owned = ownedElements(element).filter((one) => !taken.has(one));
  for (const one of owned) taken.add(one);
  return {
    element,
    builder,
    textTransform,
    isMasked: isMaskedStyle(style),
    isExposed,
    isGenerated,
    nodes,
    owned,
    index: 0,
  };
}

function takeNode(part: Part): Node | null {
  const { builder, nodes, owned, index } = part;
  part.index += 1;
  const node = nodes[index];
  if (node) return node;
  if (owned.length > 0) builder.separate();
  return owned[index - nodes.length] ?? null;
}

function shownNodes(element: Element): readonly Node[] {
  const nodes = flatChildren(element);
  if (!(element instanceof HTMLDetailsElement) || hasAttribute(element, 'open')) return nodes;
  return nodes.filter((node) => node instanceof Element && localNameOf(node) === 'summary');
}

export function appendGenerated(builder: TextBuilder, element: Element, position: '::before' | '::after'): void {
  const generated = generatedText(element, position, 'name');
  if (!generated) return;
  if (generated.isApart) builder.separate();
  builder.add(generated.text);
  if (generated.isApart) builder.separate();
}

/** Tags that are separated from the surrounding text whatever their `display`. */
const apartTags: ReadonlySet<string> = new Set(['br', 'canvas', 'iframe', 'img', 'output', 'svg', 'video', 'wbr']);
/** Tags whose text counts although their role is in `rolesApartFromNames`. */
const countedTags: ReadonlySet<string> = new Set(['address', 'details', 'footer', 'svg']);
/** Tags that, without a mark, only add the text of their content. */
const BARE_TAGS: ReadonlySet<string> = new Set('b big cite div font i kbd s samp small span tt u var'.split(' '));
const silentTags: ReadonlySet<string> = new Set([
  'script',
  'style',
  'template',
  'noscript',
  'datalist',
  'object',
  'rt',
  'rp',
  'title',
]);

/** Adds the element's text, or returns a part whose content the caller must read. */
function appendElement(builder: TextBuilder, element: Element, naming: Naming): Part | null {
  const tag = localNameOf(element);
  if (element === naming.named || silentTags.has(tag) || naming.popups?.has(element) === true) return null;
  const { display, visibility } = styleOf(element);
  if (
    !naming.includesHidden &&
    (display === 'none' || display === '' || attributeOf(element, 'aria-hidden') === 'true')
  )
    return null;
  const isBare = BARE_TAGS.has(tag) && !hasMarks(element);
  const role = isBare ? 'generic' : roleOf(element);
  if (role === 'treeitem' && naming.named !== null && isBelowItem(element, naming.named)) return null;
  const isApart = apartTags.has(tag) || isBlockLike(display) || controlRoles.has(role) || isEditingHost(element);
  const mark = builder.mark();
  if (isApart) builder.separate();
  const finish = (): void => {
    if (rolesNamedByContent.has(role) && builder.isEmptySince(mark))
      appendApart(builder, attributeOf(element, 'title') ?? '');
    if (isApart) builder.separate();
    if (!controlRoles.has(role) && vanishesWhenEmpty(element, tag, display)) builder.closeGap(mark);
  };
  const mayBeReplaced = !isBare && (naming.includesHidden || visibility === 'visible');
  const text = mayBeReplaced ? embeddedText(element, role, naming) : null;
  if (text === null && (naming.isReferenced || countedTags.has(tag) || !rolesApartFromNames.has(role)))
    return innerPart(builder, element, { naming, role, finish });
  if (text !== null) appendApart(builder, text);
  finish();
  return null;
}

/** True for an item inside another item of a tree, which has a line of its own. Most trees put a group between them. */
function isBelowItem(item: Element, named: Element): boolean {
  const parent = parentElementOf(item);
  const outer: Element | null = parent && Element.prototype.closest.call(parent, '[role="treeitem"]');
  return outer !== null && contains(named, outer);
}

/** Returns `null` if cached text was added. */
function innerPart(
  builder: TextBuilder,
  element: Element,
  { naming, role, finish }: { readonly naming: Naming; readonly role: string; readonly finish: () => void },
): Part | null {
  if (!naming.isPlain || !rolesNamedByContent.has(role)) return { ...partOf(builder, element, naming), finish };
  const known = knownContent(element);
  const appendCached = (content: TextBuilder): void => {
    known.builder = content;
    builder.append(content);
    finish();
  };
  if (known.builder) {
    appendCached(known.builder);
    return null;
  }
  const own = new TextBuilder();
  return { ...partOf(own, element, naming), finish: () => appendCached(own) };
}

// An icon without text or an image without a name leaves no space.
function vanishesWhenEmpty(element: Element, tag: string, display: string): boolean {
  if (tag === 'svg' || tag === 'iframe') return true;
  if (tag === 'img') return hasAttribute(element, 'alt');
  return display.startsWith('inline-') && !isReplaced(element);
}

function appendApart(builder: TextBuilder, text: string): void {
  if (text === '') return;
  builder.separate();
  builder.add(text);
  builder.separate();
}

/** Returns text that replaces the content in a name, such as a value or label; `null` if the content counts. */
function embeddedText(element: Element, role: string, naming: Naming): string | null {
  const value = embeddedValue(element, role);
  if (value) return value;
  if (!naming.isReferenced && hasAttribute(element, 'aria-labelledby')) {
    const text = textByReference(element, 'aria-labelledby');
    if (text.trim() !== '') return text;
  }
  return attributedText(element, naming);
}

function attributedText(element: Element, { named }: Naming): string | null {
  const label = ariaLabelOf(element);
  if (label !== '') return label;
  const native = nameByTag(element, localNameOf(element), (caption) => referencedText(caption, named ?? element));
  if (native !== null) return native;
  if (isReplaced(element)) return attributeOf(element, 'title') ?? attributeOf(element, 'placeholder') ?? '';
  return null;
}

const defaultByRole: Readonly<Record<string, string>> = { meter: '0', scrollbar: '50', slider: '50', spinbutton: '0' };

function embeddedValue(element: Element, role: string): string | null {
  if (element instanceof HTMLInputElement && element.type === 'password') return '•'.repeat(element.value.length);
  if (element instanceof HTMLInputElement && element.type === 'file') return null;
  if (element instanceof HTMLSelectElement)
    return Array.from(element.selectedOptions, (option) => option.label).join(' ');
  if (role === 'listbox') return null;
  return valueOf(element, role) ?? defaultByRole[role] ?? null;
}

function isReplaced(element: Element): boolean {
  const tag = localNameOf(element);
  return (
    tag === 'img' || tag === 'input' || tag === 'textarea' || tag === 'select' || tag === 'iframe' || tag === 'progress'
  );
}

function isBlockLike(display: string): boolean {
  return display !== 'inline' && !display.startsWith('ruby');
}

function shownLetters(text: string, { isMasked, textTransform }: Part): string {
  return isMasked ? '•'.repeat(text.trim().length) : applyTextTransform(text, textTransform);
}

// Browsers apply `text-transform` before they compute names.
function applyTextTransform(text: string, textTransform: string): string {
  if (textTransform === 'none') return text;
  if (textTransform === 'uppercase') return text.toUpperCase();
  if (textTransform === 'lowercase') return text.toLowerCase();
  if (textTransform === 'capitalize')
    return text.replace(
      /(^|[^\p{L}\p{N}'’])(\p{L})/gu,
      (_, before: string, letter: string) => before + letter.toUpperCase(),
    );
  return text;
}

/**
 * Returns the accessible description without `aria-describedby` targets inside the element, whose text the snapshot
 * already contains.
 */
export function descriptionOf(element: Element): string {
  if (hasAttribute(element, 'aria-describedby')) {
    const outside = referencedElements(element, 'aria-describedby').filter(
      (reference) => !contains(element, reference),
    );
    const text = foldSpace(outside.map((reference) => referencedText(reference, element)).join(' '));
    if (text !== '') return text;
  }
  return foldSpace(attributeOf(element, 'aria-description') ?? '');
}

const fieldTags: ReadonlySet<string> = new Set(['input', 'select', 'textarea']);
const rangeRoles: ReadonlySet<string> = new Set(['meter', 'progressbar', 'scrollbar', 'slider', 'spinbutton']);
const buttonTypes: ReadonlySet<string> = new Set(['button', 'checkbox', 'hidden', 'image', 'radio', 'reset', 'submit']);

/** Returns the displayed value: `''` if empty, `null` if the element has no value. Never returns a password or other masked text. */
export function valueOf(element: Element, role: string): string | null {
  if (fieldTags.has(localNameOf(element))) {
    if (element instanceof HTMLInputElement) return inputValue(element);
    if (element instanceof HTMLTextAreaElement) return isMaskedField(element) ? null : element.value;
    if (element instanceof HTMLSelectElement) return Array.from(element.selectedOptions, optionLabel).join(', ');
  }
  if (!rangeRoles.has(role)) return null;
  if (element instanceof HTMLProgressElement) return hasAttribute(element, 'value') ? String(element.value) : null;
  if (element instanceof HTMLMeterElement) return String(element.value);
  return ariaAttributeOf(element, 'aria-valuetext') || ariaAttributeOf(element, 'aria-valuenow');
}

export function optionLabel(option: HTMLOptionElement): string {
  return foldSpace(option.label);
}

function inputValue(input: HTMLInputElement): string | null {
  if (buttonTypes.has(input.type) || isMaskedField(input)) return null;
  if (input.type === 'file') return Array.from(input.files ?? [], (file) => file.name).join(', ');
  const valueText = input.type === 'range' ? attributeOf(input, 'aria-valuetext') : null;
  return valueText || input.value;
}
