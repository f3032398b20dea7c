import type { ActionEffect } from '../page/action/element-action.ts';
import type { Action } from '../verb/action.ts';

/** What came of an `act()`. */
export interface ActResult {
  /** False only when no action was carried out because the page offers none that fits. */
  readonly success: boolean;
  /** What was done and what it did, or what was looked for and what came nearest. */
  readonly message: string;
  /** The instruction, or the description of the given action. */
  readonly actionDescription: string;
  /** The actions that were carried out, replayable by `act(action)`. */
  readonly actions?: Action[];
  /** What the page showed for it: a new document, a change, something that opened, or nothing. */
  readonly effect?: ActionEffect;
  /** Only with `env: 'REMOTE'` and `serverCache`: whether a model was asked. */
  readonly cacheStatus?: 'HIT' | 'MISS';
}
