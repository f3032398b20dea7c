import { withReadCache } from '../../memo.ts';
import { nameOf } from '../../aria/name.ts';
import { isEditingHost } from '../../element/controls.ts';
import { attributeOf, boundsOf, isConnected, localNameOf, parentElementOf } from '../../native.ts';
import { roleOf } from '../../aria/role.ts';
import { isEditable } from '../subject.ts';
import { isTextControl } from './text-entry.ts';

/** A field up to this wide, in multiples of its font size, holds only a few characters. */
const MAX_WIDTH_IN_EM = 5;

/**
 * True if typing may continue in the newly focused element: the next field of a code after the current one is full, or
 * the replacement of a removed field. Any other element would receive wrong text.
 */
export function mayHandOver({ element, identity }: KnownField, to: Element): boolean {
  if (!isConnected(element)) return identity === identityOf(to);
  return isFull(element) || isNextPart(element, to);
}

/** True for the next part of a field in several parts that the page edits itself, such as the day of a date. */
function isNextPart(part: Element, to: Element): boolean {
  if (!isEditingHost(part) || !isEditingHost(to) || roleOf(part) !== roleOf(to) || !isNarrow(part)) return false;
  return localNameOf(part) === localNameOf(to) && parentElementOf(part) === parentElementOf(to);
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
  return isNarrow(field);
}

function isNarrow(field: Element): boolean {
  const { width } = boundsOf(field);
  return width > 0 && width <= MAX_WIDTH_IN_EM * Number.parseFloat(getComputedStyle(field).fontSize);
}

/** Attributes that distinguish the fields of a page. */
const IDENTITY = ['id', 'name', 'type', 'autocomplete', 'aria-label', 'placeholder'] as const;

function identityOf(field: Element): string {
  const name = withReadCache(() => nameOf(field));
  return JSON.stringify([localNameOf(field), name, ...IDENTITY.map((attribute) => attributeOf(field, attribute))]);
}
