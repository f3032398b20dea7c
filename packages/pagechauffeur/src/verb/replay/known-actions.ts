import type { Action } from '../action.ts';
import { framePlace, type StoredStep, withoutState } from './stored-step.ts';

/** So many elements are remembered; of more, those that were handed out longest ago are forgotten. */
const MOST_ELEMENTS = 5000;
/** One place may have shown so many elements by one selector. */
const MOST_PER_SELECTOR = 4;

/**
 * The elements of actions that were handed out, by the selectors that the actions have: an action that comes back after the page
 * has changed is still meant for its element.
 */
export class KnownActions {
  readonly #stepsByPlace = new Map<string, readonly StoredStep[]>();
  #learnt: Promise<void> | undefined;

  /** Lets `learn` tell by {@link remember} what is known from elsewhere, once. */
  learnOnce(learn: () => Promise<void>): Promise<void> {
    this.#learnt ??= learn();
    return this.#learnt;
  }

  /** Notes what a selector meant on the page of an address; the last noted counts first. */
  remember(url: string, selector: string, known: StoredStep): void {
    const step = { ...known, fingerprint: withoutState(known.fingerprint) };
    const place = placeOf(url, selector);
    const others = (this.#stepsByPlace.get(place) ?? []).filter((other) => !isSameElement(other, step));
    this.#stepsByPlace.delete(place);
    this.#stepsByPlace.set(place, [step, ...others].slice(0, MOST_PER_SELECTOR));
    const [oldest] = this.#stepsByPlace.keys();
    if (this.#stepsByPlace.size > MOST_ELEMENTS && oldest !== undefined) this.#stepsByPlace.delete(oldest);
  }

  /** What an action of this selector and description was handed out for; without a description, all that the selector meant. */
  find(url: string, { selector, description }: Pick<Action, 'selector' | 'description'>): readonly StoredStep[] {
    const known = this.#stepsByPlace.get(placeOf(url, selector)) ?? [];
    return description ? known.filter(({ action }) => action.description === description) : known;
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
