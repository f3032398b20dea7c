/** Number of recent steps in which repetitions are counted. */
const WINDOW = 20;
/**
 * Number of times that the same calls can occur on an unchanged page before the model is warned, asked for a new plan,
 * and stopped.
 */
const NUDGE = 3;
const REPLAN = 5;
const STOP = 7;

/** How to react to a model that repeats itself. */
export type LoopVerdict =
  | { readonly kind: 'go-on' }
  | { readonly kind: 'tell'; readonly text: string }
  | { readonly kind: 'stop'; readonly text: string };

/** Detects calls that are repeated on a page that does not change. */
export class LoopDetector {
  readonly #recent: string[] = [];

  /** Records a step. Equal keys mean equal calls and equal pages. */
  note(calls: string, page: string): LoopVerdict {
    const sign = JSON.stringify([calls, page]);
    this.#recent.push(sign);
    if (this.#recent.length > WINDOW) this.#recent.shift();
    const times = this.#recent.filter((other) => other === sign).length;
    if (times >= STOP)
      return { kind: 'stop', text: `the same action was repeated ${times} times and the page did not change` };
    if (times >= REPLAN)
      return {
        kind: 'tell',
        text: `You have repeated the same action ${times} times and the page does not change. Make a new plan: find another way to the goal, or call done and say what is missing.`,
      };
    if (times >= NUDGE)
      return {
        kind: 'tell',
        text: `You have repeated the same action ${times} times and the page does not change. Try something else.`,
      };
    return { kind: 'go-on' };
  }
}
