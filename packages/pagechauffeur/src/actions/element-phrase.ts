import type { ElementDescription } from '../injected/contract.ts';

/** Maximum length of an element's name in a message. */
const SHOWN_CHARACTERS = 80;

/** Describes an element for messages: `button "Save"`. Without an accessible name, uses the tag and text. */
export function elementPhrase({ role, tag, ...known }: ElementDescription): string {
  const isKnownByRole = role !== 'generic' && role !== 'none';
  // The text of the whole page would not help as a name.
  const words = tag.startsWith('<body') || tag.startsWith('<html') ? '' : known.words;
  const name = known.name || (words ?? '');
  if (name === '') return isKnownByRole ? `${role} ${tag}` : tag;
  return `${isKnownByRole ? role : tag} ${JSON.stringify(shortened(name))}`;
}

/** Describes an element by its tag, role and name. */
export function taggedPhrase({ role, name, tag, words = '' }: ElementDescription): string {
  return `${tag} (${role} ${JSON.stringify(shortened(name || words))})`;
}

function shortened(name: string): string {
  return name.length > SHOWN_CHARACTERS ? `${name.slice(0, SHOWN_CHARACTERS)}…` : name;
}
