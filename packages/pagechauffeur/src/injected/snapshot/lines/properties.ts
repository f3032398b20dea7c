import { descriptionOf, optionLabel, valueOf } from '../../aria/text-alternative.ts';
import { faceOf, hasPartForPointer } from '../../acting/point/hit-target.ts';
import { flatParent } from '../../tree/composed-tree.ts';
import { measured, dependOn } from '../../dependencies.ts';
import { styleOf } from '../../styles/computed-style.ts';
import { isMaskedField } from '../../aria/masked-text.ts';
import { foldSpace, hasVisibleText } from '../../aria/text-builder.ts';
import type { WireProperties } from '../../contract.ts';
import { ariaAttributeOf } from '../../exploration/element-internals.ts';
import { isEditingHost } from '../../element/controls.ts';
import { editorOfField } from '../../element/hidden-field-editor.ts';
import { frameIdOf, isFrameElement } from '../../tree/frames.ts';
import { memoised } from '../../memo.ts';
import {
  areaValueOf,
  attributeOf,
  baseUriOf,
  childCountOf,
  childrenOf,
  documentUrlOf,
  elementCountOf,
  inputValueOf,
  localNameOf,
  parentElementOf,
  queryAll,
  queryCount,
  renderedTextOf,
  textContentOf,
} from '../../native.ts';
import { PAGE_BOUNDS } from '../../../page-bounds.ts';
import { EditorText } from '../../values/editor-text.ts';
import { statesOf } from '../../aria/states.ts';
import { type Actionability, isDraggable } from '../clickable/actionable.ts';
import { boxRoles, hiddenBoxOf, hiddenControlOf } from '../clickable/hidden-controls.ts';
import { repeats } from './collapse.ts';
import { canvasSize, isLayeredRating, isListeningDrawing } from '../clickable/canvas.ts';
import { editorStateOf } from '../clickable/editor-lines.ts';
import { isPressedSurface } from '../clickable/listened.ts';
import { ancestorHint, authorNameOf, hintOf, isDescriptive, placeOfDot, tooltipOf } from '../clickable/hint.ts';
import { drawsFieldText } from '../visibility/painting/contrast.ts';
import type { Visit } from '../visit.ts';

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

interface NamedVisit {
  readonly visit: Visit;
  readonly role: string;
  readonly name: string;
  readonly actionability: Actionability;
}

/** Returns 0 if there are none. */
export function propertiesOf(named: NamedVisit, readsUrls: boolean): WireProperties | 0 {
  const { visit, role, actionability } = named;
  const { element, tag } = visit;
  const properties: Mutable<WireProperties> = {};
  const states = statesShown(visit, role, actionability);
  if (states.length > 0) properties.states = states;
  addValue(properties, visit, role);
  addLevel(properties, visit, role);
  const url = readsUrls && addressedTags.has(tag) ? addressOf(visit) : '';
  if (url !== '') properties.url = url;
  if (isFrameElement(element, tag)) properties.frameId = measured(element, frameIdOf);
  addDescription(properties, named);
  for (const _ in properties) return properties;
  return 0;
}

function addDescription(properties: Mutable<WireProperties>, named: NamedVisit): void {
  const { visit, actionability } = named;
  const isBlank = actionability === 'listening' && needsDescription(named);
  const isDrawing = isBlank && isListeningDrawing(visit.element);
  const authored = describe(named, properties);
  const guess = authored === '' ? guessPurpose(named) || (isDrawing ? 'drawing' : '') : '';
  const parts = [authored, guess === '' ? '' : `hint: ${guess}`];
  // Points on a canvas or a color wheel are relative to it, so its line has the size.
  const isSurface = actionability !== 'none' && (visit.tag === 'canvas' || isPressedSurface(visit.element));
  if (isDrawing || isSurface || (isBlank && isLayeredRating(visit.element))) parts.push(canvasSize(visit.element));
  const description = parts.filter((part) => part !== '').join(', ');
  if (description === '') return;
  properties.description = description;
  if (guess !== '') properties.isHint = true;
}

function describe(named: NamedVisit, known: WireProperties): string {
  const { visit, name, actionability } = named;
  const { element, isMarked, hasTitle } = visit;
  const authored = isMarked ? descriptionOf(element) : '';
  const description = authored === '' && hasTitle ? titleBeyond(element, name, known) : authored;
  if (description !== '' && repeats(description, name)) return '';
  if (description !== '' || !needsDescription(named)) return description;
  const title = fieldRoles.has(named.role) ? titleAround(element) : tooltipOf(element);
  if (title !== '' && title !== name) return title;
  const isAboutId = actionability === 'droppable' || actionability === 'nameable';
  return isAboutId && !hasWordsInside(element) ? authorNameOf(element) : '';
}

/** Returns the title of a wrapper that contains only this field. */
function titleAround(field: Element): string {
  let wrapper = flatParent(field);
  for (let count = 0; wrapper && count < MAX_FIELD_WRAPPERS; count += 1) {
    const title = foldSpace(attributeOf(wrapper, 'title') || attributeOf(wrapper, 'data-title') || '');
    if (title !== '') return holdsOneField(wrapper) ? shortened(title) : '';
    wrapper = flatParent(wrapper);
  }
  return '';
}

const MAX_FIELD_WRAPPERS = 3;

const holdsOneField = memoised((wrapper: Element) => queryCount(wrapper, 'input, select, textarea') <= 1);

function needsDescription({ name, actionability }: NamedVisit): boolean {
  return actionability !== 'none' && !hasWords(name);
}

function hasWordsInside(element: Element): boolean {
  return hasWords(foldSpace(textContentOf(element) ?? ''));
}

/** Maximum descendants of a control that may have only hidden text, such as the time at the pointer on a slider. */
const MAX_PARTS = 12;

function showsWords(element: Element): boolean {
  return hasWordsInside(element) && (elementCountOf(element) > MAX_PARTS || measured(element, rendersWords));
}

function rendersWords(element: Element): boolean {
  return hasWords(renderedTextOf(element));
}

/** Guesses from the markup what an element without text is for. */
function guessPurpose(named: NamedVisit): string {
  const { visit, role, name, actionability } = named;
  const { element } = visit;
  if (!needsDescription(named) || (name === '' ? showsWords(element) : hasWordsInside(element))) return '';
  if (boxRoles.has(role)) return name === '' ? boxHint(element) : '';
  if (fieldRoles.has(role) || isFrameElement(element)) return '';
  // A bracket in a line of an editor is text, not an icon.
  if (role === 'generic' && visit.shared.isCaret && hasVisibleText(textContentOf(element) ?? '')) return '';
  const around = actionability === 'listening' && name === '' ? ancestorHint : null;
  return hintOf(element) || around?.(element) || placeOfDot(element);
}

/** Returns the value that the box submits, or the text beside a transparent box: it looks like the label. */
function boxHint(element: Element): string {
  const value = attributeOf(element, 'value') ?? '';
  const face = faceOf(element);
  const beside = face === null ? '' : foldSpace(renderedTextOf(face));
  const text = beside || (value !== 'on' && isDescriptive(value) ? value : placeInSet(element));
  return shortened(text);
}

function placeInSet(element: Element): string {
  const [place, size] = [attributeOf(element, 'aria-posinset'), attributeOf(element, 'aria-setsize')];
  return place && size ? `${foldSpace(place)} of ${foldSpace(size)}` : '';
}

/** False for symbols such as "×" or "+", which do not describe what a button does. */
function hasWords(text: string): boolean {
  return /[\p{L}\p{N}]/u.test(text);
}

/** Fields need no hint: their value, placeholder and label describe them. */
const fieldRoles: ReadonlySet<string> = new Set(
  'checkbox combobox listbox radio searchbox slider spinbutton switch textbox'.split(' '),
);

/** Returns the title if it adds information, such as "User Menu" on a button "F2". */
function titleBeyond(element: Element, name: string, { value = '', placeholder = '' }: WireProperties): string {
  const title = foldSpace(attributeOf(element, 'title') ?? '');
  if (title === '') return '';
  const texts = [name === '' ? foldSpace(textContentOf(element) ?? '') : name, value, placeholder];
  return texts.some((text) => text !== '' && repeats(title, text)) ? '' : shortened(title);
}

const TITLE_LENGTH = 120;

function shortened(title: string): string {
  return title.length > TITLE_LENGTH ? `${title.slice(0, TITLE_LENGTH)}…` : title;
}

function statesShown(visit: Visit, role: string, actionability: Actionability): string[] {
  const { element, isMarked, isCovered } = visit;
  const box = hiddenBoxOf(element);
  const states = box ? statesOf(box) : statesOf(element, role, isMarked);
  if (!states.includes('disabled') && looksDisabled(visit, role, actionability)) states.unshift('disabled');
  if (actionability === 'listening') states.push(editorStateOf(visit) ?? 'clickable');
  // The text of some editors is focusable, so that a click does not take the focus off the hidden field.
  const editor = actionability === 'native' && role === 'generic' ? editorStateOf(visit) : null;
  if (editor !== null && !states.includes(editor)) states.push(editor);
  if (actionability === 'clickable' && !box) states.push(...statesOfHiddenControl(element), 'clickable');
  if (actionability === 'draggable' || (isMarked && actionability !== 'none' && isDraggable(element)))
    states.push('draggable');
  if (actionability === 'droppable') states.push('droppable');
  if (isFilledSecret(element)) states.push('filled');
  if (isCovered && !(fieldTags.has(visit.tag) && measured(element, isFieldOfEditor))) states.push('covered');
  return states;
}

// The editor covers its hidden field, and passes the focus to it.
function isFieldOfEditor(element: Element): boolean {
  return editorOfField(element) !== null;
}

/** For a filled password field or another masked field, the snapshot shows only that it is filled. */
function isFilledSecret(element: Element): boolean {
  if (!isTextField(element) || !isMaskedField(element)) return false;
  return (element instanceof HTMLInputElement ? inputValueOf(element) : areaValueOf(element)) !== '';
}

function isTextField(element: Element): element is HTMLInputElement | HTMLTextAreaElement {
  if (element instanceof HTMLInputElement) return element.selectionStart !== null;
  return element instanceof HTMLTextAreaElement;
}

function statesOfHiddenControl(element: Element): string[] {
  const control = hiddenControlOf(element);
  return control ? statesOf(control) : [];
}

function addValue(properties: Mutable<WireProperties>, { element, tag, isMarked }: Visit, role: string): void {
  const value = shownValue(element, role, isMarked);
  const isField = tag === 'input' || tag === 'textarea';
  if (value !== null && value !== '' && !(isField && !drawsFieldText(element, 'value'))) properties.value = value;
  if (tag === 'select' && element instanceof HTMLSelectElement && role === 'combobox')
    properties.options = Array.from(element.options, optionLabel);
  const placeholder = isField || isMarked ? placeholderOf(element) : null;
  if (placeholder && (!isField || drawsFieldText(element, 'placeholder'))) properties.placeholder = placeholder;
}

// A list box has no value, because its options have their own lines.
function shownValue(element: Element, role: string, isMarked: boolean): string | null {
  if (role === 'listbox') return null;
  if (isMarked && isEditingHost(element)) return editorTextOf(element);
  if (isMarked && isTextValued(element, role))
    return isMultiline(element) ? editorTextOf(element) : foldSpace(textContentOf(element) ?? '');
  return valueOf(element, role);
}

// One character more than a snapshot shows, so that `boundLines` marks the value as truncated.
function editorTextOf(element: Element): string {
  return new EditorText(element, PAGE_BOUNDS.elementValue).text;
}

function isMultiline(element: Element): boolean {
  return ariaAttributeOf(element, 'aria-multiline') === 'true';
}

export const fieldTags: ReadonlySet<string> = new Set(['input', 'select', 'textarea']);
const textValuedRoles: ReadonlySet<string> = new Set(['combobox', 'searchbox', 'textbox']);

// A custom field shows its value as text unless it contains a native field.
function isTextValued(element: Element, role: string): boolean {
  if (!textValuedRoles.has(role) || fieldTags.has(localNameOf(element))) return false;
  return queryAll(element, 'input, select, textarea, [role=listbox], [contenteditable]').length === 0;
}

/** Shown as the placeholder of inputs without one. */
const formatByType: Readonly<Record<string, string>> = {
  color: '#rrggbb',
  date: 'YYYY-MM-DD',
  'datetime-local': 'YYYY-MM-DDThh:mm',
  month: 'YYYY-MM',
  time: 'hh:mm',
  week: 'YYYY-Www',
};

function placeholderOf(element: Element): string | null {
  const authored = attributeOf(element, 'placeholder') ?? attributeOf(element, 'aria-placeholder');
  if (authored) return authored;
  return element instanceof HTMLInputElement ? (formatByType[element.type] ?? null) : null;
}

const headingTag = /^h[1-6]$/;

function addLevel(properties: Mutable<WireProperties>, { element, isMarked }: Visit, role: string): void {
  const authored = isMarked ? Number.parseInt(ariaAttributeOf(element, 'aria-level') ?? '', 10) : 0;
  if (authored > 0) properties.level = authored;
  else if (role === 'heading')
    properties.level = headingTag.test(localNameOf(element)) ? Number(localNameOf(element).slice(1)) : 2;
}

const addressedTags: ReadonlySet<string> = new Set(['a', 'area', 'img']);

// Leaves out `data:` URLs, which contain the image itself.
function addressOf({ element, tag }: Visit): string {
  const authored = tag === 'img' ? '' : attributeOf(element, 'href');
  if (authored === null) return '';
  const path = resolvedPath(authored);
  if (path !== null) return path;
  if (PLAIN_URL.test(authored)) return withoutOrigin(authored);
  const address = resolvedAddressOf(element);
  return address.startsWith('data:') ? '' : withoutOrigin(address);
}

/** Resolves a plain path of this site; `null` for other URLs. The browser takes as long as reading the rest of a link. */
function resolvedPath(authored: string): string | null {
  const base = plainBase(document);
  if (base === null) return null;
  if (PATH_OF_SITE.test(authored)) return authored;
  const [, up = '', rest = '', fragment = ''] = RELATIVE_PATH.exec(authored) ?? [];
  if (up + rest === '' && fragment !== '') return base.page + fragment;
  // Without a path, a query belongs to the page.
  if (up === '' && (rest === '' || rest.startsWith('?'))) return null;
  return (base.folders[up.length / '../'.length] ?? '/') + rest + fragment;
}

/** Characters that the browser leaves as they are, for a character class. */
const PLAIN = String.raw`\w/\-=&+,;@!$*~`;
const [QUERY, FRAGMENT] = [String.raw`\?[${PLAIN}:%.?]*`, String.raw`#[${PLAIN}:%.?()]*`];
const PATH_OF_SITE = new RegExp(`^/(?!/)${pathOf(`${PLAIN}:`)}(?:${QUERY})?(?:${FRAGMENT})?$`);
/** With a domain, because browsers normalize IP addresses, and without a port, because they drop a default one. */
const PLAIN_URL = new RegExp(
  String.raw`^https?://(?:[a-z\d-]+\.)+[a-z]+/${pathOf(`${PLAIN}:%`)}(?:${QUERY})?(?:${FRAGMENT})?$`,
);
const RELATIVE_PATH = new RegExp(String.raw`^((?:\.\./)*)((?!/)${pathOf(PLAIN)}(?:${QUERY})?)(${FRAGMENT})?$`);

/** Returns the pattern of a path without the segments `.` and `..`. */
function pathOf(characters: string): string {
  return String.raw`(?:[${characters}]|\.(?![./?#]|$))*`;
}

const originOfDocument = memoised((ofDocument: Document) => new URL(documentUrlOf(ofDocument)).origin);

interface Base {
  /** Path and query of the base URL. */
  readonly page: string;
  /** The folder of the base URL, the one above, and so on. */
  readonly folders: readonly string[];
}

/** Returns `null` if the base URL of links has another origin than the document. */
const plainBase = memoised((ofDocument: Document): Base | null => {
  const { origin, protocol, pathname, search } = new URL(baseUriOf(ofDocument));
  if (origin !== originOfDocument(ofDocument) || !/^https?:$/.test(protocol)) return null;
  const parts = pathname.split('/').slice(0, -1);
  const folders = parts.map((_, up) => `${parts.slice(0, parts.length - up).join('/')}/`);
  return { page: pathname + search, folders };
});

// Most links are same-origin, so their origin is omitted.
function withoutOrigin(address: string): string {
  const origin = originOfDocument(document);
  return address.startsWith(origin) && address[origin.length] === '/' ? address.slice(origin.length) : address;
}

function resolvedAddressOf(element: Element): string {
  if (element instanceof HTMLAnchorElement || element instanceof HTMLAreaElement) return element.href;
  if (element instanceof HTMLImageElement) return measured(element, sourceOf);
  if (element instanceof SVGAElement)
    return element.href.baseVal === '' ? '' : (URL.parse(element.href.baseVal, element.baseURI)?.href ?? '');
  return '';
}

// The browser chooses the source of a responsive image after layout.
function sourceOf(image: HTMLImageElement): string {
  return image.currentSrc || image.src;
}

const CLICKED_ROLES: ReadonlySet<string> = new Set(['button', 'link', 'menuitem', 'tab']);
/** Matches `disabled`, `is-disabled` or `ui-state-disabled` in a class, but not `not-disabled`. */
const DISABLED_CLASS = /(?:^|\s)(?!(?:hide|never|non?|not|show|un|when)-)(?:[a-z]+-+)*disabled(?=\s|$)/i;

/**
 * True if a style disables the element, or if a class says so and it looks like that: it is faded, a link without the
 * cursor of links, or an item without the pointer cursor of its siblings. A link may have the class on its item.
 */
function looksDisabled({ element, tag, shared }: Visit, role: string, actionability: Actionability): boolean {
  const isClicked = CLICKED_ROLES.has(role);
  if (!isClicked && role !== 'option' && actionability !== 'clickable' && actionability !== 'listening') return false;
  if (shared.forbidsClicks || (isClicked && shared.isClickThrough && !hasPartForPointer(element))) return true;
  // The browser itself disables form controls.
  if (tag === 'button' || fieldTags.has(tag) || (!shared.isFaded && shared.isPointer)) return false;
  if (tag !== 'a') return isOfDisabledClass(element) && (shared.isFaded || hasPointedSibling(element, tag));
  const item = parentElementOf(element);
  return isOfDisabledClass(element) || (item !== null && childCountOf(item) === 1 && isOfDisabledClass(item));
}

/** True if a sibling with the same tag has a pointer cursor. */
function hasPointedSibling(element: Element, tag: string): boolean {
  const parent = parentElementOf(element);
  if (parent === null) return false;
  for (const sibling of childrenOf(parent).slice(0, MAX_SIBLINGS)) {
    if (sibling === element || localNameOf(sibling) !== tag) continue;
    dependOn(sibling);
    if (styleOf(sibling).cursor === 'pointer') return true;
  }
  return false;
}

const MAX_SIBLINGS = 100;

function isOfDisabledClass(element: Element): boolean {
  return DISABLED_CLASS.test(attributeOf(element, 'class') ?? '');
}
