import { quote } from '../util/truncate.ts';
import { type EffectNote, textsOf } from '../actions/effect-note.ts';
import type { ActionEffect } from '../actions/element-action.ts';
import { elementPhrase } from '../actions/element-phrase.ts';
import { DriverClosedError, DriverError } from '../errors.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import type { Action } from '../replay/action.ts';
import { type ElementLocation, phraseOf, locationsOf } from '../snapshot/element-location.ts';
import type { DoneStep } from '../verb/perform-step.ts';
import { withSentence } from '../util/error-facts.ts';
import type { CacheStatus } from '../verb/verb-context.ts';
import type { AskedStep } from './ask-for-step.ts';

/** The result of `act()`. */
export interface ActResult {
  /**
   * False if no element matches the instruction, if several match equally well, or if the first of two actions opened
   * nothing. In that case no action ran, or only the first of two.
   */
  readonly success: boolean;
  /** Says which action ran and what it did, or why none ran and which elements came closest. */
  readonly message: string;
  /** The instruction, or the `description` of the action passed to `act()`. */
  readonly actionDescription: string;
  /** The actions that ran. Pass one to `act()` to run it again. */
  readonly actions?: Action[];
  /** The effect on the page: navigation, a change, something that opened, or nothing. */
  readonly effect?: ActionEffect;
  /** `HIT` if no model was called. Set only for instructions, with `env: 'REMOTE'` and `serverCache`. */
  readonly cacheStatus?: CacheStatus;
}

interface ResultFacts {
  /** True if all steps were replayed from the cache. */
  readonly isCached?: boolean;
  /** Why the instruction, or its second step, did not run. */
  readonly failure?: string | undefined;
}

/** Builds the result of a call from the steps that ran. Its effect is that of the last step. */
export function resultOf(
  actionDescription: string,
  steps: readonly DoneStep[],
  { isCached = false, failure }: ResultFacts = {},
): ActResult {
  const last = steps.at(-1)?.outcome;
  if (!last) return { success: false, message: failure ?? '', actionDescription };
  const { effect, notes } = last;
  const sentences = steps.map((step) => [stepPhrase(step), ...textsOf(step.outcome.notes)].join('; '));
  const done = `Done${isCached ? ', cached' : ''}: ${sentences.join(', then ')}. ${effectSentence(effect, notes)}`;
  return {
    success: failure === undefined,
    message: failure === undefined ? done : `${done} ${failure}`,
    actionDescription,
    actions: steps.map(({ action }) => action),
    effect,
  };
}

/** Describes a step: `click on button "Save"`. */
function stepPhrase({ action, outcome, where = '' }: DoneStep): string {
  return `${action.method} on ${elementPhrase(outcome.element)}${where}`;
}

/**
 * Adds the steps that ran to the error of the next one, because a retry of the call runs them again. Returns errors of
 * other libraries unchanged, and also those of a closed page or browser: other calls can throw the same object.
 */
export function withDoneSteps(error: unknown, done: readonly DoneStep[]): unknown {
  if (!(error instanceof DriverError) || error instanceof DriverClosedError || done.length === 0) return error;
  return withSentence(error, `This call had already run: ${done.map(stepPhrase).join(', then ')}.`);
}

/** Describes the effect of an action. `notes` are printed before this sentence. */
export function effectSentence(effect: ActionEffect, notes: readonly EffectNote[]): string {
  return effect === 'none-observed' && notes.length > 0 ? 'No other change was observed.' : EFFECT_SENTENCE[effect];
}

const EFFECT_SENTENCE: Readonly<Record<ActionEffect, string>> = {
  navigated: 'The page navigated.',
  changed: 'The page changed.',
  opened: 'Something opened.',
  'none-observed': 'No change was observed.',
};

/** Maximum number of elements in a message. */
const MAX_NAMED = 8;

/** Says why the model chose no step: no element matches the instruction, or several match equally well. */
export function refusalOf(instruction: string, { outcome, reason, candidates, snapshot }: AskedStep): string {
  const refs = [...new Set(candidates)].filter((ref) => snapshot.refs.has(ref));
  const locations = locationsOf(snapshot, refs);
  const said = quote(instruction);
  if (outcome === 'ambiguous' && refs.length > 1) return ambiguity(said, refs, { snapshot, locations });
  const nearest = refs.slice(0, MAX_NAMED).map((ref) => phraseOf(snapshot, ref, locations.get(ref)));
  const hint = nearest.length > 0 ? ` Nearest matches: ${nearest.join(', ')}.` : '';
  return `Found no step for ${said}: ${reason}${hint}`;
}

interface Found {
  readonly snapshot: Snapshot;
  readonly locations: ReadonlyMap<string, ElementLocation>;
}

function ambiguity(said: string, refs: readonly string[], { snapshot, locations }: Found): string {
  const phrases = refs.map((ref) => phraseOf(snapshot, ref, locations.get(ref)));
  const named = phrases.slice(0, MAX_NAMED).map((phrase, index) => {
    const isAlone = phrases.filter((other) => other === phrase).length === 1;
    const place = locations.get(refs[index] ?? '');
    const position = isAlone || !place ? '' : `, number ${place.position} of ${place.count} on the page`;
    return `(${index + 1}) ${phrase}${position}`;
  });
  const more = phrases.length > named.length ? `; and ${phrases.length - named.length} more` : '';
  return `${refs.length} elements match ${said} equally well: ${named.join('; ')}${more}. Name the one you mean, for example by its row, section or position.`;
}
