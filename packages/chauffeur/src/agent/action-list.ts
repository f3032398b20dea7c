import { wordsOf } from '../tools/outcome-words.ts';
import type { VerbContext } from '../verb/verb-context.ts';
import type { AgentAction } from './agent-result.ts';
import type { CarriedOut } from './run-calls.ts';
import type { RunEvents } from './run-events.ts';

/** What a run has done so far, as its caller is told it: without values of variables. */
export class ActionList {
  readonly #events: RunEvents;
  readonly #all: AgentAction[] = [];

  constructor(events: RunEvents) {
    this.#events = events;
  }

  /** All of it, oldest first. */
  get all(): readonly AgentAction[] {
    return this.#all;
  }

  /** What was done before this run began. */
  begin(actions: readonly AgentAction[]): void {
    this.#all.push(...actions);
  }

  /** Notes a call that has come to its end, and tells who listens. */
  note(
    { call: { tool, input }, outcome, url }: CarriedOut,
    { step, verbs }: { step: number; verbs: VerbContext },
  ): void {
    const { isError = false, effect } = outcome;
    const result = verbs.mask(wordsOf(outcome));
    const action = { tool, input, result, success: !isError, ...(effect && { effect }), url: verbs.mask(url), step };
    const noted = { ...action, timestamp: new Date().toISOString() };
    this.#all.push(noted);
    verbs.log.write('agent', 2, `step ${step}: ${tool} ${JSON.stringify(input)} → ${result}`);
    this.#events.action(noted);
  }
}
