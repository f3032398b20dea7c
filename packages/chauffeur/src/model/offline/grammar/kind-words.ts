import { stem } from '../text/stem.ts';

const FIELD = ['textbox', 'searchbox', 'combobox', 'spinbutton', 'slider'];
const CLICKED = ['button', 'menuitem', 'switch', 'tab'];

/** Roles that a word for a kind of element stands for. */
const ROLES_BY_KIND: Readonly<Record<string, readonly string[]>> = {
  button: [...CLICKED, 'radio'],
  link: ['link'],
  hyperlink: ['link'],
  field: FIELD,
  input: [...FIELD, 'checkbox'],
  textbox: FIELD,
  textarea: FIELD,
  textfield: FIELD,
  searchbox: FIELD,
  searchbar: FIELD,
  box: [...FIELD, 'checkbox', 'listbox'],
  checkbox: ['checkbox', 'switch', 'menuitemcheckbox'],
  tickbox: ['checkbox', 'switch', 'menuitemcheckbox'],
  radio: ['radio', 'menuitemradio'],
  dropdown: ['combobox', 'listbox', 'button'],
  combobox: ['combobox', 'listbox'],
  select: ['combobox', 'listbox'],
  picker: ['combobox', 'listbox', 'button', 'textbox'],
  tab: ['tab', 'link', 'button'],
  menu: ['menuitem', 'button', 'combobox', 'link'],
  menuitem: ['menuitem', 'menuitemcheckbox', 'menuitemradio', 'link'],
  submenu: ['menuitem'],
  icon: ['img', 'button', 'link'],
  image: ['img', 'link', 'button'],
  picture: ['img', 'link', 'button'],
  logo: ['img', 'link'],
  heading: ['heading', 'link', 'button'],
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

/** The roles that a word, as its stem, names, when it is a word for a kind of element. */
export function rolesNamed(word: string): ReadonlySet<string> | undefined {
  return rolesByStem.get(word);
}
