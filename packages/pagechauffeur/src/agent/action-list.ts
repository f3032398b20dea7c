import { wordsOf } from '../tools/outcome-words.ts';
import type { VerbContext } from '../verb/verb-context.ts';
import { actionSentence } from './action-sentence.ts';
import type { AgentAction, AgentToolResult } from './agent-result.ts';
import type { CompletedCall } from './run-calls.ts';
import type { RunEvents } from './run-events.ts';

/** What a run has done so far, as its caller is told it: without values of variables. */
export class ActionList {
  readonly #events: RunEvents;
  readonly #all: AgentAction[] = [];
  #results: AgentToolResult[] = [];

  constructor(events: RunEvents) {
    this.#events = events;
  }

  /** All of it, oldest first. */
  get all(): readonly AgentAction[] {
    return this.#all;
  }

  /** What came of the calls since this was asked last. */
  takeResults(): readonly AgentToolResult[] {
    const results = this.#results;
    this.#results = [];
    return results;
  }

  /** What was done before this run began. */
  begin(actions: readonly AgentAction[]): void {
    this.#all.push(...actions);
  }

  /** Notes a call that has come to its end, and tells who listens. */
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
    // An end that is accepted is what the line of the whole run tells.
    if (isError || known?.kind !== 'end') verbs.log.write('agent', 1, `step ${step}: ${actionSentence(item)}`);
    verbs.log.write('agent', 2, `step ${step}: ${tool} was given ${JSON.stringify(input)}`);
    this.#events.action(noted);
  }
}
