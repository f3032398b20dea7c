import { wordsOf } from '../tools/outcome-words.ts';
import type { VerbContext } from '../verb/verb-context.ts';
import { actionSentence } from './action-sentence.ts';
import type { AgentAction, AgentToolResult } from './agent-result.ts';
import type { CompletedCall } from './run-calls.ts';
import type { RunEvents } from './run-events.ts';

/** The actions of a run as the caller receives them, without variable values. */
export class ActionList {
  readonly #events: RunEvents;
  readonly #all: AgentAction[] = [];
  #results: AgentToolResult[] = [];

  constructor(events: RunEvents) {
    this.#events = events;
  }

  /** All actions, oldest first. */
  get all(): readonly AgentAction[] {
    return this.#all;
  }

  /** Results since the last call of this method. */
  takeResults(): readonly AgentToolResult[] {
    const results = this.#results;
    this.#results = [];
    return results;
  }

  /** Adds actions that were done before this run started. */
  begin(actions: readonly AgentAction[]): void {
    this.#all.push(...actions);
  }

  /** Adds a completed call and notifies listeners. */
  note(item: CompletedCall, { step, verbs }: { step: number; verbs: VerbContext }): void {
    const { call, tool: known, outcome, url } = item;
    const { tool, input } = call;
    const { isError = false, effect } = outcome;
    const result = verbs.mask(wordsOf(outcome));
    const action = { tool, input, result, success: !isError, ...(effect && { effect }), url: verbs.mask(url), step };
    const noted = { ...action, timestamp: new Date().toISOString() };
    this.#all.push(noted);
    this.#results.push({
      type: 'tool-result',
      toolCallId: call.id,
      toolName: tool,
      input,
      output: result,
      isError,
    });
    // An accepted end is logged with the result of the run.
    if (isError || known?.kind !== 'end') verbs.log.write('agent', 1, `step ${step}: ${actionSentence(item)}`);
    verbs.log.write('agent', 2, `step ${step}: ${tool} was given ${JSON.stringify(input)}`);
    this.#events.action(noted);
  }
}
