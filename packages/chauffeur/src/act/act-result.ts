import type { ActionEffect } from '../page/action/element-action.ts';
import { elementPhrase } from '../page/action/element-phrase.ts';
import type { Action } from '../verb/action.ts';
import type { DoneStep } from '../verb/perform-step.ts';

/** What came of an `act()`. */
export interface ActResult {
  /** False only when the page offers nothing that fits, or several elements alike: then no action was carried out, or only the first of two. */
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

/** The result of steps that were carried out. */
export function resultOf(actionDescription: string, steps: readonly DoneStep[]): ActResult {
  const effect = steps.at(-1)?.outcome.effect ?? 'none-observed';
  const sentences = steps.map(({ action, outcome, where = '' }) =>
    [`${action.method} on ${elementPhrase(outcome.element)}${where}`, ...outcome.notes].join('; '),
  );
  return {
    success: true,
    message: `Done: ${sentences.join(', then ')}. ${EFFECT_SENTENCE[effect]}`,
    actionDescription,
    actions: steps.map(({ action }) => action),
    effect,
  };
}

/** The result of steps that were done again without a model. */
export function cachedResult(actionDescription: string, steps: readonly DoneStep[]): ActResult {
  const result = resultOf(actionDescription, steps);
  return { ...result, message: result.message.replace(/^Done:/, 'Done, cached:') };
}

/** What an action did to the page, in a sentence. */
export const EFFECT_SENTENCE = {
  navigated: 'The page navigated.',
  changed: 'The page changed.',
  opened: 'Something opened.',
  'none-observed': 'No change was observed.',
} as const;
