import type { Action } from './action.ts';
import { normalizedFrameUrl, type StoredStep, withoutState } from './stored-step.ts';

/** Maximum number of pairs of URL and selector. The oldest pair is dropped. */
const MAX_ELEMENTS = 5000;
/** Maximum number of elements for one URL and selector. */
const MAX_PER_SELECTOR = 4;

export interface KnownStep {
  readonly step: StoredStep;
  /**
   * True if the element was read from the cache. The rules of self-heal apply to it, because cache files can be edited.
   */
  readonly isFromCache: boolean;
}

/**
 * Remembers which element each returned action was about. When the caller runs the action later, the selector can match
 * another element, because the page has changed.
 */
export class KnownActions {
  readonly #stepsByPlace = new Map<string, readonly KnownStep[]>();
  #learnt: Promise<void> | undefined;

  /** Calls `learn` once. It adds elements from the cache with {@link remember}. */
  learnOnce(learn: () => Promise<void>): Promise<void> {
    this.#learnt ??= learn();
    return this.#learnt;
  }

  /** Adds an element. {@link find} returns the latest one first. */
  remember(url: string, selector: string, known: StoredStep, { isFromCache = false } = {}): void {
    const step = { ...known, fingerprint: withoutState(known.fingerprint) };
    const key = keyOf(url, selector);
    const others = (this.#stepsByPlace.get(key) ?? []).filter((other) => !isSameElement(other.step, step));
    this.#stepsByPlace.delete(key);
    this.#stepsByPlace.set(key, [{ step, isFromCache }, ...others].slice(0, MAX_PER_SELECTOR));
    const [oldest] = this.#stepsByPlace.keys();
    if (this.#stepsByPlace.size > MAX_ELEMENTS && oldest !== undefined) this.#stepsByPlace.delete(oldest);
  }

  /**
   * Returns the elements that an action can refer to. Without a description, returns all elements with the selector.
   */
  find(url: string, { selector, description }: Pick<Action, 'selector' | 'description'>): readonly KnownStep[] {
    const known = this.#stepsByPlace.get(keyOf(url, selector)) ?? [];
    return description ? known.filter(({ step }) => step.action.description === description) : known;
  }
}

function keyOf(url: string, selector: string): string {
  return `${normalizedFrameUrl(url)}\n${selector}`;
}

function isSameElement(one: StoredStep, other: StoredStep): boolean {
  const [a, b] = [one, other].map(({ action, frame, fingerprint, goal }) =>
    JSON.stringify([action.description, frame, fingerprint, goal]),
  );
  return a === b;
}
