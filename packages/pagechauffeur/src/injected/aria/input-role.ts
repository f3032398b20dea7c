import { attributeOf } from '../native.ts';

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
export function inputRole(input: HTMLInputElement): string {
  const { type } = input;
  if (typesWithSuggestions.has(type) && hasSuggestions(input)) return 'combobox';
  return roleByType[type] ?? 'textbox';
}

function hasSuggestions(input: HTMLInputElement): boolean {
  return attributeOf(input, 'list') !== null && input.list !== null;
}
