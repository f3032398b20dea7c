import { duringReading } from '../memo.ts';
import { nameOf } from '../name.ts';
import { attributeOf, clientWidthOf, isConnected, localNameOf } from '../native.ts';
import { isEditable } from './subject.ts';
import { isTextControl } from './text-entry.ts';

/** A field whose width is at most this many times its font size is for a few characters. */
const WIDTH_OF_BOX = 5;

/**
 * True if typing may continue in the element that the page focuses. This can be the next field of a code when the
 * current one is full, or the replacement of a removed field. In all other cases the text would end up in a wrong
 * element.
 */
export function mayHandOver({ element, identity }: KnownField, to: Element): boolean {
  return isConnected(element) ? isFull(element) : identity === identityOf(to);
}

/** A field and its identity while it was in the document. */
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
