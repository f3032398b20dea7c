import type { ElementDescription } from '../injected/contract.ts';

/** A name in a message is cut after this many characters; the rest helps nobody to find the element. */
const SHOWN_CHARACTERS = 80;

/** An element as messages name it: `button "Save"`, or by its tag and words when it has no name. */
export function elementPhrase({ role, tag, ...known }: ElementDescription): string {
  const isKnownByRole = role !== 'generic' && role !== 'none';
  // All that a page says is no name for it.
  const words = tag.startsWith('<body') || tag.startsWith('<html') ? '' : known.words;
  const name = known.name || (words ?? '');
  if (name === '') return isKnownByRole ? `${role} ${tag}` : tag;
  return `${isKnownByRole ? role : tag} ${JSON.stringify(shortened(name))}`;
}

/** The tag of an element and, when that says more, its role and name. */
export function taggedPhrase({ role, name, tag, words = '' }: ElementDescription): string {
  return `${tag} (${role} ${JSON.stringify(shortened(name || words))})`;
}

function shortened(name: string): string {
  return name.length > SHOWN_CHARACTERS ? `${name.slice(0, SHOWN_CHARACTERS)}…` : name;
}
