import { withReadCache } from '../memo.ts';
import { nameOf } from '../name.ts';
import { attributeOf, clientWidthOf, isConnected, localNameOf } from '../native.ts';
import { isEditable } from './subject.ts';
import { isTextControl } from './text-entry.ts';

/** A field up to this wide, in multiples of its font size, holds only a few characters. */
const MAX_WIDTH_IN_EM = 5;

/**
 * True if typing may continue in the newly focused element: the next field of a code after the current one is full, or
 * the replacement of a removed field. Any other element would receive wrong text.
 */
export function mayHandOver({ element, identity }: KnownField, to: Element): boolean {
  return isConnected(element) ? isFull(element) : identity === identityOf(to);
}

/** The identity is stored, because it can change when the page removes the field. */
export interface KnownField {
  readonly element: Element;
  readonly identity: string;
}

export function knownField(element: Element): KnownField {
  return { element, identity: identityOf(element) };
}

function isFull(field: Element): boolean {
  if (!isTextControl(field) || !isEditable(field) || field.value === '') return false;
  const { maxLength } = field;
  if (maxLength >= 0) return field.value.length >= maxLength;
  const width = clientWidthOf(field);
  return width > 0 && width <= MAX_WIDTH_IN_EM * Number.parseFloat(getComputedStyle(field).fontSize);
}

/** Attributes that distinguish the fields of a page. */
const IDENTITY = ['id', 'name', 'type', 'autocomplete', 'aria-label', 'placeholder'] as const;

function identityOf(field: Element): string {
  const name = withReadCache(() => nameOf(field));
  return JSON.stringify([localNameOf(field), name, ...IDENTITY.map((attribute) => attributeOf(field, attribute))]);
}
