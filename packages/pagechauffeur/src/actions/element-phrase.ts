import type { ElementDescription } from '../injected/contract.ts';

/** In characters. Longer names are cut. */
const MAX_NAME_LENGTH = 80;

/** For messages: `button "Save"`. Quotes the text of an element without an accessible name. */
export function elementPhrase({ role, tag, ...known }: ElementDescription): string {
  const isKnownByRole = role !== 'generic' && role !== 'none';
  // The text of `<body>` would be that of the whole page.
  const words = tag.startsWith('<body') || tag.startsWith('<html') ? '' : known.words;
  const name = known.name || (words ?? '');
  if (name === '') return isKnownByRole ? `${role} ${tag}` : tag;
  return `${isKnownByRole ? role : tag} ${JSON.stringify(shortened(name))}`;
}

/** For errors: `<button#save> (button "Save")`. */
export function taggedPhrase({ role, name, tag, words = '' }: ElementDescription): string {
  return `${tag} (${role} ${JSON.stringify(shortened(name || words))})`;
}

function shortened(name: string): string {
  return name.length > MAX_NAME_LENGTH ? `${name.slice(0, MAX_NAME_LENGTH)}…` : name;
}
