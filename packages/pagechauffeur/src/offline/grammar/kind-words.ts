import type { SnapshotNode } from '../../snapshot/snapshot-node.ts';
import { stem } from '../text/stem.ts';

const FIELD = ['textbox', 'searchbox', 'combobox', 'spinbutton', 'slider'];
const CLICKED = ['button', 'menuitem', 'switch', 'tab'];

/** Roles that each noun can refer to. */
const ROLES_BY_KIND: Readonly<Record<string, readonly string[]>> = {
  button: [...CLICKED, 'radio'],
  link: ['link'],
  hyperlink: ['link'],
  field: FIELD,
  input: [...FIELD, 'checkbox'],
  textbox: FIELD,
  textarea: FIELD,
  textfield: FIELD,
  inputfield: FIELD,
  inputbox: FIELD,
  searchbox: ['searchbox'],
  searchbar: ['searchbox'],
  box: [...FIELD, 'checkbox', 'listbox'],
  checkbox: ['checkbox', 'switch', 'menuitemcheckbox'],
  tickbox: ['checkbox', 'switch', 'menuitemcheckbox'],
  radio: ['radio', 'menuitemradio'],
  dropdown: ['combobox', 'listbox', 'button'],
  combobox: ['combobox', 'listbox'],
  list: ['combobox', 'listbox'],
  select: ['combobox', 'listbox'],
  picker: ['combobox', 'listbox', 'button', 'textbox'],
  tab: ['tab', 'link', 'button'],
  menu: ['menuitem', 'button', 'combobox', 'link'],
  menuitem: ['menuitem', 'menuitemcheckbox', 'menuitemradio', 'link'],
  submenu: ['menuitem'],
  icon: ['img', 'button', 'link'],
  image: ['img', 'link', 'button'],
  picture: ['img', 'link', 'button'],
  photo: ['img', 'link', 'button'],
  thumbnail: ['img', 'link', 'button'],
  logo: ['img', 'link'],
  heading: ['heading', 'link', 'button'],
  canvas: ['canvas'],
  frame: ['iframe'],
  row: ['row'],
  cell: ['cell', 'gridcell'],
  column: ['columnheader', 'button'],
  switch: ['switch', 'checkbox', 'button'],
  toggle: ['switch', 'checkbox', 'button'],
  slider: ['slider', 'spinbutton'],
  option: ['option', 'menuitem', 'radio', 'listitem'],
  node: ['treeitem'],
  treeitem: ['treeitem'],
  folder: ['treeitem', 'link', 'listitem', 'row', 'button'],
  directory: ['treeitem', 'link', 'listitem', 'row'],
};
const rolesByStem = new Map(Object.entries(ROLES_BY_KIND).map(([kind, roles]) => [stem(kind), new Set(roles)]));

/** Takes the stem of a noun. Returns `undefined` for words that name no kind of element. */
export function rolesNamed(word: string): ReadonlySet<string> | undefined {
  return rolesByStem.get(word);
}

const PICTURE_STEMS: ReadonlySet<string> = new Set(
  ['image', 'picture', 'photo', 'logo', 'avatar', 'thumbnail'].map(stem),
);
export const HEADING_STEM = stem('heading');
/** Text roles. A clickable element with one of these can look like any control. */
const PLAIN_ROLES: ReadonlySet<string> = new Set(['generic', 'term', 'definition', 'paragraph', 'listitem']);
const DROPDOWN_STEM = stem('dropdown');
const TAB_STEM = stem('tab');
/** A button with one of these states behaves like a tab. */
const TURNED: ReadonlySet<string> = new Set(['selected', 'current', 'pressed']);
/** Elements with these roles count as a dropdown only while they are expanded or collapsed. */
const OPENED: ReadonlySet<string> = new Set(['button', 'link', 'textbox', 'searchbox', 'menuitem']);
const UNFOLDING: ReadonlySet<string> = new Set(['collapsed', 'expanded']);
/** More roles for a noun, based on appearance: a `link` can look like a button. */
const LOOKS_LIKE: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries({
    button: ['link', 'combobox'],
    tab: ['radio'],
    menu: ['tab', 'treeitem'],
    icon: ['menuitem', 'tab', 'checkbox', 'radio'],
    field: ['combobox', 'listbox'],
    searchbox: ['textbox', 'combobox'],
    searchbar: ['textbox', 'combobox'],
    box: ['switch'],
    dropdown: ['menuitem', 'textbox'],
    picker: ['spinbutton', 'searchbox'],
    option: ['link', 'button', 'checkbox', 'tab', 'treeitem'],
  }).map(([kind, roles]) => [stem(kind), roles]),
);

/**
 * True for the stem of a noun for an image. In "the picture of the red mug", "of" then starts a description, not a
 * location.
 */
export function isPictureNoun(word: string): boolean {
  return PICTURE_STEMS.has(word);
}

/** True if users may call the element by the noun with this stem. For "heading", a child may be the heading. */
export function isOfKind(word: string, node: SnapshotNode): boolean {
  if (PICTURE_STEMS.has(word)) return holdsPicture(node);
  if (word === DROPDOWN_STEM && OPENED.has(node.role)) return node.states.some((state) => UNFOLDING.has(state));
  if (word === TAB_STEM && node.role === 'button') return node.states.some((state) => TURNED.has(state));
  if (word === HEADING_STEM) return isHeading(node) || node.children.some(isHeading);
  const others = LOOKS_LIKE.get(word);
  if (rolesNamed(word)?.has(node.role) || others?.includes(node.role)) return true;
  return others !== undefined && PLAIN_ROLES.has(node.role) && node.states.includes('clickable');
}

function isHeading({ role }: SnapshotNode): boolean {
  return role === 'heading';
}

export function holdsPicture({ role, children }: SnapshotNode): boolean {
  return role === 'img' || (children.length > 0 && children.every(holdsPicture));
}
