import type { JsonForm } from '../../util/json-form.ts';
import { roleSelector, textPattern } from '../../page/selector-text.ts';

/** How a script locates an element: by the best property that identified it when the run was recorded. */
export interface Locating {
  /** Selectors of the frame elements around it, outermost first. */
  readonly frames: readonly string[];
  /** The container of the element: the only element with this role and text. */
  readonly within?: { readonly role: string; readonly hasText: string };
  readonly by: 'role' | 'testid' | 'label' | 'placeholder' | 'title' | 'text' | 'selector';
  /** Role, text or selector. */
  readonly value: string;
  /** Accessible name, with a role. */
  readonly name?: string;
  /** Index among several matches, from 0. */
  readonly nth?: number;
}

/** JSON form of a {@link Locating}. */
export const LOCATING: JsonForm = {
  fields: { frames: ['string'], by: 'string', value: 'string' },
  optional: { within: { fields: { role: 'string', hasText: 'string' } }, name: 'string', nth: 'number' },
};

/** Properties of an element, from its fingerprint. */
interface Signs {
  readonly role: string;
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly row: readonly string[];
}

/**
 * True if a locator agrees with the element's role, name, row or test ID. Returns false for an index or a frame, which
 * cannot be checked this way. Someone may have edited the cache.
 */
export function isSaidBy({ frames, within, by, value, name, nth }: Locating, signs: Signs): boolean {
  if (nth !== undefined || frames.length > 0 || (within && !signs.row.includes(within.hasText))) return false;
  if (by === 'role') return value === signs.role && name === signs.name;
  if (by === 'testid') return value === signs.attributes['data-testid'];
  return by !== 'selector' && value === signs.name;
}

/** Returns the selector for the same element within its frame. */
export function selectorOf({ within, by, value, name }: Locating): string {
  const own = ownSelector(by, value, name);
  if (!within) return own;
  return `${roleSelector(within.role, {})} >> has-text=${textPattern(within.hasText, false)} >> ${own}`;
}

function ownSelector(by: Locating['by'], value: string, name: string | undefined): string {
  if (by === 'selector') return value;
  if (by === 'role') return roleSelector(value, name === undefined ? {} : { name, exact: true });
  return `${by}=${textPattern(value, true)}`;
}
