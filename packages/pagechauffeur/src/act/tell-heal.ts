import { elementPhrase } from '../actions/element-phrase.ts';
import type { DoneStep } from '../verb/perform-step.ts';
import type { ActCall } from './act-call.ts';

/** Logs that a step ran on another element than the one at its selector. */
export function logHeal({ context }: ActCall, done: DoneStep, { by, was }: { by: string; was: string }): void {
  const phrase = elementPhrase(done.outcome.element);
  context.log.write('act', 1, `Healed: ${phrase} found by ${by}; was ${was}, now ${done.action.selector}`);
}
