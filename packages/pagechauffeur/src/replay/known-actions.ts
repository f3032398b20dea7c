import type { Action } from './action.ts';
import { framePlace, type StoredStep, withoutState } from './stored-step.ts';

/** Number of elements to remember. The ones returned longest ago are dropped first. */
const MAX_ELEMENTS = 5000;
/** Number of elements to remember per URL and selector. */
const MAX_PER_SELECTOR = 4;

/** A remembered element. */
export interface KnownStep {
  readonly step: StoredStep;
  /** True if it comes from the cache, which someone else may have edited. */
  readonly isFromCache: boolean;
}

/**
 * Elements of actions returned to the caller, by selector. An action that the caller runs after the page has changed still refers to its
 * element.
 */
export class KnownActions {
  readonly #stepsByPlace = new Map<string, readonly KnownStep[]>();
  #learnt: Promise<void> | undefined;

  /** Runs `learn` on the first call only. `learn` adds elements from another source with {@link remember}. */
  learnOnce(learn: () => Promise<void>): Promise<void> {
    this.#learnt ??= learn();
    return this.#learnt;
  }

  /** Records the element of a selector on a URL. The latest one is tried first. */
  remember(url: string, selector: string, known: StoredStep, { isFromCache = false } = {}): void {
    const step = { ...known, fingerprint: withoutState(known.fingerprint) };
    const place = placeOf(url, selector);
    const others = (this.#stepsByPlace.get(place) ?? []).filter((other) => !isSameElement(other.step, step));
    this.#stepsByPlace.delete(place);
    this.#stepsByPlace.set(place, [{ step, isFromCache }, ...others].slice(0, MAX_PER_SELECTOR));
    const [oldest] = this.#stepsByPlace.keys();
    if (this.#stepsByPlace.size > MAX_ELEMENTS && oldest !== undefined) this.#stepsByPlace.delete(oldest);
  }

  /** Elements that an action with this selector and description refers to. Without a description, all elements of the selector. */
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
