import { duringReading } from '../memo.ts';
import { nameOf } from '../name.ts';
import { attributeOf, clientWidthOf, isConnected, localNameOf } from '../native.ts';
import { isEditable } from './subject.ts';
import { isTextControl } from './text-entry.ts';

/** A box that is no wider than this many times its font size is for a few characters. */
const WIDTH_OF_BOX = 5;

/**
 * Whether typing goes on in the element that the page gives the focus to: a part of a code follows on a part that is full, and a
 * field that the page draws anew on the one it took away. Anything else takes the text away from its field.
 */
export function mayHandOver({ element, identity }: KnownField, to: Element): boolean {
  return isConnected(element) ? isFull(element) : identity === identityOf(to);
}

/** A field, and what it was called when it was in the page. */
export interface KnownField {
  readonly element: Element;
  readonly identity: string;
}

/** The field with what it is called now. */
export function knownField(element: Element): KnownField {
  return { element, identity: identityOf(element) };
}

function isFull(field: Element): boolean {
  if (!isTextControl(field) || !isEditable(field) || field.value === '') return false;
  const { maxLength } = field;
  if (maxLength >= 0) return field.value.length >= maxLength;
  const width = clientWidthOf(field);
  return width > 0 && width <= WIDTH_OF_BOX * Number.parseFloat(getComputedStyle(field).fontSize);
}

/** By what pages tell their fields apart. */
const IDENTITY = ['id', 'name', 'type', 'autocomplete', 'aria-label', 'placeholder'] as const;

function identityOf(field: Element): string {
  const name = duringReading(() => nameOf(field));
  return JSON.stringify([localNameOf(field), name, ...IDENTITY.map((attribute) => attributeOf(field, attribute))]);
}
