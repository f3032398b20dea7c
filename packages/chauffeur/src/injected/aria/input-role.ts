import { attributeOf } from '../native.ts';

const roleByType: Readonly<Record<string, string>> = {
  button: 'button',
  checkbox: 'checkbox',
  color: 'button',
  date: 'textbox',
  'datetime-local': 'textbox',
  file: 'button',
  hidden: 'none',
  image: 'button',
  month: 'textbox',
  number: 'spinbutton',
  radio: 'radio',
  range: 'slider',
  reset: 'button',
  search: 'searchbox',
  submit: 'button',
  time: 'textbox',
  week: 'textbox',
};

const typesWithSuggestions: ReadonlySet<string> = new Set(['text', 'search', 'url', 'tel', 'email']);

/** The role an `input` has by its type, when the author gives none. */
export function inputRole(input: HTMLInputElement): string {
  const { type } = input;
  if (typesWithSuggestions.has(type) && hasSuggestions(input)) return 'combobox';
  return roleByType[type] ?? 'textbox';
}

function hasSuggestions(input: HTMLInputElement): boolean {
  const id = attributeOf(input, 'list');
  if (!id) return false;
  const root = input.getRootNode();
  return (root instanceof Document || root instanceof ShadowRoot) && root.getElementById(id) instanceof HTMLDataListElement;
}
