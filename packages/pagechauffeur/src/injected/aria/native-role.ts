import { composedParent } from '../composed-tree.ts';
import { isFocusable } from '../focusable.ts';
import { isFrameElement } from '../frames.ts';
import { attributeOf, hasAttribute, localNameOf } from '../native.ts';
import { hasAuthorName } from './author-name.ts';
import { tableCellRole, tablePartRole, tableRole } from './table-role.ts';

type NativeRole = string | ((element: Element) => string);

const roleByTag: ReadonlyMap<string, NativeRole> = new Map<string, NativeRole>([
  ['a', linkRole],
  ['address', 'group'],
  ['area', linkRole],
  ['article', 'article'],
  ['aside', (element) => (isInSection(element) && !hasAuthorName(element) ? 'generic' : 'complementary')],
  ['audio', 'audio'],
  ['blockquote', 'blockquote'],
  ['button', 'button'],
  ['canvas', 'canvas'],
  ['caption', 'caption'],
  ['code', 'code'],
  ['datalist', 'listbox'],
  ['dd', 'definition'],
  ['del', 'deletion'],
  ['details', 'group'],
  ['dfn', 'term'],
  ['dialog', 'dialog'],
  ['dt', 'term'],
  ['em', 'emphasis'],
  ['embed', embeddedRole],
  ['fieldset', 'group'],
  ['figure', 'figure'],
  ['footer', (element) => (isInSection(element) ? 'sectionfooter' : 'contentinfo')],
  ['form', 'form'],
  ['h1', 'heading'],
  ['h2', 'heading'],
  ['h3', 'heading'],
  ['h4', 'heading'],
  ['h5', 'heading'],
  ['h6', 'heading'],
  ['header', (element) => (isInSection(element) ? 'sectionheader' : 'banner')],
  ['hgroup', 'group'],
  ['hr', 'separator'],
  ['iframe', 'iframe'],
  ['frame', 'iframe'],
  ['img', imageRole],
  ['input', (element) => (element instanceof HTMLInputElement ? inputRole(element) : 'textbox')],
  ['ins', 'insertion'],
  ['li', listItemRole],
  ['main', 'main'],
  ['mark', 'mark'],
  ['math', 'math'],
  ['menu', 'list'],
  ['meter', 'meter'],
  ['nav', 'navigation'],
  ['object', embeddedRole],
  ['ol', 'list'],
  ['optgroup', 'group'],
  ['option', 'option'],
  ['output', 'status'],
  ['p', 'paragraph'],
  ['progress', 'progressbar'],
  ['s', 'deletion'],
  ['search', 'search'],
  ['section', (element) => (hasAuthorName(element) ? 'region' : 'generic')],
  ['select', selectRole],
  ['strong', 'strong'],
  ['sub', 'subscript'],
  ['summary', summaryRole],
  ['sup', 'superscript'],
  ['svg', 'img'],
  ['table', tableRole],
  ['tbody', tablePartRole],
  ['td', tableCellRole],
  ['textarea', 'textbox'],
  ['tfoot', tablePartRole],
  ['th', tableCellRole],
  ['thead', tablePartRole],
  ['time', 'time'],
  ['tr', tablePartRole],
  ['ul', 'list'],
  ['video', 'video'],
]);

const roleByType: Readonly<Record<string, string>> = {
  button: 'button',
  checkbox: 'checkbox',
  file: 'button',
  hidden: 'none',
  image: 'button',
  number: 'spinbutton',
  radio: 'radio',
  range: 'slider',
  reset: 'button',
  search: 'searchbox',
  submit: 'button',
};

const typesWithSuggestions: ReadonlySet<string> = new Set(['text', 'search', 'url', 'tel', 'email']);

/** Returns the implicit role of an `input`. Dates, times and colors are text boxes, because users fill them with text. */
function inputRole(input: HTMLInputElement): string {
  const { type } = input;
  if (typesWithSuggestions.has(type) && hasSuggestions(input)) return 'combobox';
  return roleByType[type] ?? 'textbox';
}

function hasSuggestions(input: HTMLInputElement): boolean {
  return attributeOf(input, 'list') !== null && input.list !== null;
}

/** Returns the element's implicit role, by its tag and position; `generic` for most tags. */
export function nativeRole(element: Element): string {
  const role = roleByTag.get(localNameOf(element));
  if (role === undefined) return 'generic';
  return typeof role === 'string' ? role : role(element);
}

function embeddedRole(element: Element): string {
  return isFrameElement(element) ? 'iframe' : 'generic';
}

// Anchors without `href` count as links if they have a click handler.
function linkRole(element: Element): string {
  return hasAttribute(element, 'href') || hasAttribute(element, 'onclick') ? 'link' : 'generic';
}

// List items in a presentational list are presentational too.
function listItemRole(element: Element): string {
  const parent = composedParent(element);
  return parent && isPresentational(parent) && !isFocusable(element) ? 'none' : 'listitem';
}

function isPresentational(element: Element): boolean {
  const role = attributeOf(element, 'role')?.trim();
  return role === 'none' || role === 'presentation';
}

function imageRole(element: Element): string {
  return attributeOf(element, 'alt') === '' && !hasAuthorName(element) && !hasAttribute(element, 'tabindex')
    ? 'none'
    : 'img';
}

function selectRole(element: Element): string {
  return element instanceof HTMLSelectElement && (element.multiple || element.size > 1) ? 'listbox' : 'combobox';
}

function summaryRole(element: Element): string {
  const parent = composedParent(element);
  return parent instanceof HTMLDetailsElement && parent.querySelector(':scope > summary') === element
    ? 'button'
    : 'generic';
}

const sectionTags: ReadonlySet<string> = new Set(['article', 'aside', 'main', 'nav', 'section']);
const sectionRoles: ReadonlySet<string> = new Set(['article', 'complementary', 'main', 'navigation', 'region']);

function isInSection(element: Element): boolean {
  for (let parent = composedParent(element); parent; parent = composedParent(parent)) {
    if (sectionTags.has(localNameOf(parent)) || sectionRoles.has(attributeOf(parent, 'role') ?? '')) return true;
  }
  return false;
}
