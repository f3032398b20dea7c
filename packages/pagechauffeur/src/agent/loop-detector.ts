/** Number of recent steps to compare. */
const WINDOW = 20;
/** Number of equal steps after which the model gets a hint, is asked for a new plan, and is stopped. */
const HINT_AFTER = 3;
const REPLAN = 5;
const STOP = 7;

/** `go-on`: no repetition. `tell`: send `text` to the model. `stop`: end the run with `text` as the reason. */
export type LoopVerdict =
  | { readonly kind: 'go-on' }
  | { readonly kind: 'tell'; readonly text: string }
  | { readonly kind: 'stop'; readonly text: string };

/** Detects a model that repeats the same calls while the page stays the same. */
export class LoopDetector {
  readonly #recent: string[] = [];

  note(calls: string, page: string): LoopVerdict {
    const signature = JSON.stringify([calls, page]);
    this.#recent.push(signature);
    if (this.#recent.length > WINDOW) this.#recent.shift();
    const times = this.#recent.filter((other) => other === signature).length;
    if (times >= STOP)
      return { kind: 'stop', text: `the same action was repeated ${times} times and the page did not change` };
    if (times >= REPLAN)
      return {
        kind: 'tell',
        text: `You have repeated the same action ${times} times and the page does not change. Make a new plan: find another way to the goal, or call done and say what is missing.`,
      };
    if (times >= HINT_AFTER)
      return {
        kind: 'tell',
        text: `You have repeated the same action ${times} times and the page does not change. Try something else.`,
      };
    return { kind: 'go-on' };
  }
}
