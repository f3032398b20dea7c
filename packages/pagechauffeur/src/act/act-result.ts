import { type EffectNote, textsOf } from '../page/action/effect-note.ts';
import type { ActionEffect } from '../page/action/element-action.ts';
import { elementPhrase } from '../page/action/element-phrase.ts';
import type { Action } from '../verb/action.ts';
import type { DoneStep } from '../verb/perform-step.ts';
import type { CacheStatus } from '../verb/verb-context.ts';

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
  readonly cacheStatus?: CacheStatus;
}

/** The result of steps that were carried out. */
export function resultOf(actionDescription: string, steps: readonly DoneStep[]): ActResult {
  const { effect = 'none-observed', notes = [] } = steps.at(-1)?.outcome ?? {};
  const sentences = steps.map(({ action, outcome, where = '' }) =>
    [`${action.method} on ${elementPhrase(outcome.element)}${where}`, ...textsOf(outcome.notes)].join('; '),
  );
  return {
    success: true,
    message: `Done: ${sentences.join(', then ')}. ${effectSentence(effect, notes)}`,
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

/** What an action did to the page, in a sentence that follows the notes on it. */
export function effectSentence(effect: ActionEffect, notes: readonly EffectNote[]): string {
  return effect === 'none-observed' && notes.length > 0 ? 'Nothing else was observed.' : EFFECT_SENTENCE[effect];
}

const EFFECT_SENTENCE: Readonly<Record<ActionEffect, string>> = {
  navigated: 'The page navigated.',
  changed: 'The page changed.',
  opened: 'Something opened.',
  'none-observed': 'No change was observed.',
};
