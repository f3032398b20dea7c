import type { JsonForm } from '../../util/json-form.ts';
import { roleSelector, textPattern } from '../../page/selector-text.ts';

/** A locator for scripts, based on the best property that identified the element in the recorded run. */
export interface Locating {
  /** Selectors of the surrounding frame elements, outermost first. */
  readonly frames: readonly string[];
  /** A container to search in, by its role and text. */
  readonly within?: { readonly role: string; readonly hasText: string };
  readonly by: 'role' | 'testid' | 'label' | 'placeholder' | 'title' | 'text' | 'selector';
  /** The role for `by: 'role'`, a selector for `by: 'selector'`, else the text to match. */
  readonly value: string;
  /** Accessible name, only for `by: 'role'`. */
  readonly name?: string;
  /** Index if there are several matches, starting at 0. */
  readonly nth?: number;
}

export const LOCATING: JsonForm = {
  fields: { frames: ['string'], by: 'string', value: 'string' },
  optional: { within: { fields: { role: 'string', hasText: 'string' } }, name: 'string', nth: 'number' },
};

interface ElementFacts {
  readonly role: string;
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly row: readonly string[];
}

/**
 * True if the element's fingerprint confirms the locator. Cache files can be edited, so a locator that cannot be
 * checked, such as an index, counts as unconfirmed.
 */
export function isConfirmedBy({ frames, within, by, value, name, nth }: Locating, facts: ElementFacts): boolean {
  if (nth !== undefined || frames.length > 0 || (within && !facts.row.includes(within.hasText))) return false;
  if (by === 'role') return value === facts.role && name === facts.name;
  if (by === 'testid') return value === facts.attributes['data-testid'];
  return by !== 'selector' && value === facts.name;
}

/** Returns a selector within the element's frame. */
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
