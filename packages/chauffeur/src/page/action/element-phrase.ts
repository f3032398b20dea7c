import type { ElementDescription } from '../../injected/contract.ts';

/** A name in a message is cut after this many characters; the rest helps nobody to find the element. */
const SHOWN_CHARACTERS = 80;

/** An element as messages name it: `button "Save"`, or by its tag when it has no name. */
export function elementPhrase({ role, name, tag }: Pick<ElementDescription, 'role' | 'name' | 'tag'>): string {
  const isKnownByRole = role !== 'generic' && role !== 'none';
  if (name === '') return isKnownByRole ? `${role} ${tag}` : tag;
  return `${isKnownByRole ? role : tag} ${JSON.stringify(shortened(name))}`;
}

/** The tag of an element and, when that says more, its role and name. */
export function taggedPhrase({ role, name, tag }: Pick<ElementDescription, 'role' | 'name' | 'tag'>): string {
  return `${tag} (${role} ${JSON.stringify(shortened(name))})`;
}

function shortened(name: string): string {
  return name.length > SHOWN_CHARACTERS ? `${name.slice(0, SHOWN_CHARACTERS)}…` : name;
}
