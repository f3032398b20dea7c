import type { Action } from './action.ts';
import { framePlace, type StoredStep, withoutState } from './stored-step.ts';

/** Maximum number of selectors to remember. The one that was remembered longest ago is dropped first. */
const MAX_ELEMENTS = 5000;
/** Maximum number of elements to remember for one URL and selector. */
const MAX_PER_SELECTOR = 4;

/** A remembered element. */
export interface KnownStep {
  readonly step: StoredStep;
  /** True if the element comes from the cache, which someone may have edited. */
  readonly isFromCache: boolean;
}

/**
 * The elements of actions that were returned to the caller, by selector. If the caller runs an action after the page
 * has changed, the action still refers to the same element.
 */
export class KnownActions {
  readonly #stepsByPlace = new Map<string, readonly KnownStep[]>();
  #learnt: Promise<void> | undefined;

  /** Calls `learn`, but only the first time. `learn` calls {@link remember} to add elements from another source. */
  learnOnce(learn: () => Promise<void>): Promise<void> {
    this.#learnt ??= learn();
    return this.#learnt;
  }

  /** Remembers the element of a selector at a URL. The latest element is tried first. */
  remember(url: string, selector: string, known: StoredStep, { isFromCache = false } = {}): void {
    const step = { ...known, fingerprint: withoutState(known.fingerprint) };
    const place = placeOf(url, selector);
    const others = (this.#stepsByPlace.get(place) ?? []).filter((other) => !isSameElement(other.step, step));
    this.#stepsByPlace.delete(place);
    this.#stepsByPlace.set(place, [{ step, isFromCache }, ...others].slice(0, MAX_PER_SELECTOR));
    const [oldest] = this.#stepsByPlace.keys();
    if (this.#stepsByPlace.size > MAX_ELEMENTS && oldest !== undefined) this.#stepsByPlace.delete(oldest);
  }

  /**
   * Returns the elements that an action with this selector and description can refer to. Without a description, returns
   * all elements of the selector.
   */
  find(url: string, { selector, description }: Pick<Action, 'selector' | 'description'>): readonly KnownStep[] {
    const known = this.#stepsByPlace.get(placeOf(url, selector)) ?? [];
    return description ? known.filter(({ step }) => step.action.description === description) : known;
  }
}

function placeOf(url: string, selector: string): string {
  return `${framePlace(url)}\n${selector}`;
}

function isSameElement(one: StoredStep, other: StoredStep): boolean {
  const [a, b] = [one, other].map(({ action, frame, fingerprint, goal }) =>
    JSON.stringify([action.description, frame, fingerprint, goal]),
  );
  return a === b;
}
