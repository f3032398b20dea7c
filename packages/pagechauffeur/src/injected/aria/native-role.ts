import { composedParent } from '../tree/composed-tree.ts';
import { measured } from '../dependencies.ts';
import { isFocusable } from '../element/controls.ts';
import { isFrameElement } from '../tree/frames.ts';
import { attributeOf, hasAttribute, localNameOf } from '../native.ts';
import { hasAuthorName } from './references.ts';
import { authoredRole } from './role-names.ts';
import { tableCellRole, tablePartRole, tableRole } from './table-role.ts';

interface ConditionalRole {
  readonly of: (element: Element) => string;
  readonly roles: readonly string[];
}

/** The compiler checks that `roles` lists every role that `of` returns. */
function oneOf<R extends string>(roles: Readonly<Record<R, true>>, of: (element: Element) => R): ConditionalRole {
  return { of, roles: Object.keys(roles) };
}

const LINK = oneOf({ link: true, generic: true }, linkRole);
const EMBEDDED = oneOf({ iframe: true, generic: true }, embeddedRole);
const TABLE_PART = oneOf({ row: true, rowgroup: true, generic: true, none: true }, tablePartRole);
const TABLE_CELL = oneOf(
  { cell: true, gridcell: true, columnheader: true, rowheader: true, generic: true, none: true },
  tableCellRole,
);

const ROLE_BY_TYPE = {
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
} as const;

type InputRole = (typeof ROLE_BY_TYPE)[keyof typeof ROLE_BY_TYPE] | 'combobox' | 'textbox';

const INPUT_ROLES: Readonly<Record<InputRole, true>> = {
  button: true,
  checkbox: true,
  combobox: true,
  none: true,
  radio: true,
  searchbox: true,
  slider: true,
  spinbutton: true,
  textbox: true,
};

const roleByType: ReadonlyMap<string, InputRole> = new Map(Object.entries(ROLE_BY_TYPE));

type NativeRole = string | ConditionalRole;

const roleByTag: ReadonlyMap<string, NativeRole> = new Map<string, NativeRole>([
  ['a', LINK],
  ['address', 'group'],
  ['area', LINK],
  ['article', 'article'],
  [
    'aside',
    oneOf({ complementary: true, generic: true }, (element) =>
      isInSection(element) && !hasAuthorName(element) ? 'generic' : 'complementary',
    ),
  ],
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
  ['embed', EMBEDDED],
  ['fieldset', 'group'],
  ['figure', 'figure'],
  [
    'footer',
    oneOf({ contentinfo: true, sectionfooter: true }, (element) =>
      isInSection(element) ? 'sectionfooter' : 'contentinfo',
    ),
  ],
  ['form', 'form'],
  ['h1', 'heading'],
  ['h2', 'heading'],
  ['h3', 'heading'],
  ['h4', 'heading'],
  ['h5', 'heading'],
  ['h6', 'heading'],
  [
    'header',
    oneOf({ banner: true, sectionheader: true }, (element) => (isInSection(element) ? 'sectionheader' : 'banner')),
  ],
  ['hgroup', 'group'],
  ['hr', 'separator'],
  ['iframe', 'iframe'],
  ['frame', 'iframe'],
  ['img', oneOf({ img: true, none: true }, imageRole)],
  ['input', oneOf(INPUT_ROLES, (element) => (element instanceof HTMLInputElement ? inputRole(element) : 'textbox'))],
  ['ins', 'insertion'],
  ['li', oneOf({ listitem: true, none: true }, listItemRole)],
  ['main', 'main'],
  ['mark', 'mark'],
  ['math', 'math'],
  ['menu', 'list'],
  ['meter', 'meter'],
  ['nav', 'navigation'],
  ['object', EMBEDDED],
  ['ol', 'list'],
  ['optgroup', 'group'],
  ['option', 'option'],
  ['output', 'status'],
  ['p', 'paragraph'],
  ['progress', 'progressbar'],
  ['s', 'deletion'],
  ['search', 'search'],
  ['section', oneOf({ region: true, generic: true }, (element) => (hasAuthorName(element) ? 'region' : 'generic'))],
  ['select', oneOf({ combobox: true, listbox: true }, selectRole)],
  ['strong', 'strong'],
  ['sub', 'subscript'],
  ['summary', oneOf({ button: true, generic: true }, summaryRole)],
  ['sup', 'superscript'],
  ['svg', 'img'],
  ['table', oneOf({ table: true, generic: true }, tableRole)],
  ['tbody', TABLE_PART],
  ['td', TABLE_CELL],
  ['textarea', 'textbox'],
  ['tfoot', TABLE_PART],
  ['th', TABLE_CELL],
  ['thead', TABLE_PART],
  ['time', 'time'],
  ['tr', TABLE_PART],
  ['ul', 'list'],
  ['video', 'video'],
]);

const typesWithSuggestions: ReadonlySet<string> = new Set(['text', 'search', 'url', 'tel', 'email']);

/** Date, time and color inputs are `textbox`, because actions fill them with text. */
function inputRole(input: HTMLInputElement): InputRole {
  const { type } = input;
  if (typesWithSuggestions.has(type) && measured(input, hasSuggestions)) return 'combobox';
  return roleByType.get(type) ?? 'textbox';
}

function hasSuggestions(input: HTMLInputElement): boolean {
  return attributeOf(input, 'list') !== null && input.list !== null;
}

/** Returns the implicit role from the tag, attributes and ancestors; `generic` for most tags. */
export function nativeRole(element: Element): string {
  const role = roleByTag.get(localNameOf(element));
  if (role === undefined) return 'generic';
  return typeof role === 'string' ? role : role.of(element);
}

/** Lists the tags that can have this implicit role. `undefined` for `generic`, the role of every tag not listed. */
export function tagsWithRole(role: string): readonly string[] | undefined {
  if (role === 'generic') return undefined;
  return [...roleByTag].flatMap(([tag, native]) =>
    (typeof native === 'string' ? native === role : native.roles.includes(role)) ? [tag] : [],
  );
}

function embeddedRole(element: Element): 'iframe' | 'generic' {
  return isFrameElement(element) ? 'iframe' : 'generic';
}

// Chromium exposes an anchor with `onclick` as a link even without `href`.
function linkRole(element: Element): 'link' | 'generic' {
  return hasAttribute(element, 'href') || hasAttribute(element, 'onclick') ? 'link' : 'generic';
}

// `role=none` on a list also removes the role of its items, except focusable ones.
function listItemRole(element: Element): 'listitem' | 'none' {
  const parent = composedParent(element);
  return parent && isPresentational(parent) && !isFocusable(element) ? 'none' : 'listitem';
}

function isPresentational(element: Element): boolean {
  return authoredRole(element) === 'none';
}

function imageRole(element: Element): 'img' | 'none' {
  return attributeOf(element, 'alt') === '' && !hasAuthorName(element) && !hasAttribute(element, 'tabindex')
    ? 'none'
    : 'img';
}

function selectRole(element: Element): 'combobox' | 'listbox' {
  return element instanceof HTMLSelectElement && (element.multiple || element.size > 1) ? 'listbox' : 'combobox';
}

function summaryRole(element: Element): 'button' | 'generic' {
  const parent = composedParent(element);
  return parent instanceof HTMLDetailsElement && parent.querySelector(':scope > summary') === element
    ? 'button'
    : 'generic';
}

const sectionTags: ReadonlySet<string> = new Set(['article', 'aside', 'main', 'nav', 'section']);
const sectionRoles: ReadonlySet<string> = new Set(['article', 'complementary', 'main', 'navigation', 'region']);

function isInSection(element: Element): boolean {
  for (let parent = composedParent(element); parent; parent = composedParent(parent)) {
    if (sectionTags.has(localNameOf(parent)) || sectionRoles.has(authoredRole(parent) ?? '')) return true;
  }
  return false;
}
