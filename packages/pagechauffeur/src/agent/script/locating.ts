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
