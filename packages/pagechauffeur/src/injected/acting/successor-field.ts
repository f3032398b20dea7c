import { duringReading } from '../memo.ts';
import { nameOf } from '../name.ts';
import { attributeOf, clientWidthOf, isConnected, localNameOf } from '../native.ts';
import { isEditable } from './subject.ts';
import { isTextControl } from './text-entry.ts';

/** A field up to this many times its font size wide is for a few characters. */
const WIDTH_OF_BOX = 5;

/**
 * True if typing may continue in the element that the page focuses: the next field of a code after one that is full, or a re-created field
 * after the removed one. Any other element would steal the text.
 */
export function mayHandOver({ element, identity }: KnownField, to: Element): boolean {
  return isConnected(element) ? isFull(element) : identity === identityOf(to);
}

/** A field, and its identity when it was known to be in the page. */
export interface KnownField {
  readonly element: Element;
  readonly identity: string;
}

/** Returns the field with its current identity. */
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

/** Attributes that distinguish the fields of a page. */
const IDENTITY = ['id', 'name', 'type', 'autocomplete', 'aria-label', 'placeholder'] as const;

function identityOf(field: Element): string {
  const name = duringReading(() => nameOf(field));
  return JSON.stringify([localNameOf(field), name, ...IDENTITY.map((attribute) => attributeOf(field, attribute))]);
}
