import type { JsonForm } from '../../util/json-form.ts';
import { roleSelector, textPattern } from '../../page/selector-text.ts';

/** How a script finds an element: by the strongest sign that was its alone when the run was recorded. */
export interface Locating {
  /** Selectors of the frame elements around it, the outermost first. */
  readonly frames: readonly string[];
  /** What it stands in: the one element of a role that has a text. */
  readonly within?: { readonly role: string; readonly hasText: string };
  readonly by: 'role' | 'testid' | 'label' | 'placeholder' | 'title' | 'text' | 'selector';
  /** The role, text, or selector. */
  readonly value: string;
  /** With a role, the accessible name. */
  readonly name?: string;
  /** Which of several that match, counted from 0. */
  readonly nth?: number;
}

/** The form of a {@link Locating}. */
export const LOCATING: JsonForm = {
  fields: { frames: ['string'], by: 'string', value: 'string' },
  optional: { within: { fields: { role: 'string', hasText: 'string' } }, name: 'string', nth: 'number' },
};

/** What is known of an element by its fingerprint. */
interface Signs {
  readonly role: string;
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly row: readonly string[];
}

/**
 * Whether a record, which may have been edited, finds an element of the page itself by what is compared with the element before the step is
 * done again: role, name, row and test id. Which one of several it means cannot be told by that, nor in which frame.
 */
export function isSaidBy({ frames, within, by, value, name, nth }: Locating, signs: Signs): boolean {
  if (nth !== undefined || frames.length > 0 || (within && !signs.row.includes(within.hasText))) return false;
  if (by === 'role') return value === signs.role && name === signs.name;
  if (by === 'testid') return value === signs.attributes['data-testid'];
  return by !== 'selector' && value === signs.name;
}

/** The selector that finds the same within its frame. */
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
