import { outcomeText } from '../tools/outcome-text.ts';
import type { VerbContext } from '../verb/verb-context.ts';
import type { AgentAction, AgentToolResult } from './agent-result.ts';
import type { CompletedCall } from './run-calls.ts';
import type { RunEvents } from './run-events.ts';
import type { ToolOutcome } from '../tools/tool-outcome.ts';
import { isRecord } from '../util/is-record.ts';
import { truncate } from '../util/truncate.ts';

/** Collects the actions of a run for the caller. Masks variable values. */
export class ActionList {
  readonly #events: RunEvents;
  readonly #all: AgentAction[] = [];
  #results: AgentToolResult[] = [];

  constructor(events: RunEvents) {
    this.#events = events;
  }

  get all(): readonly AgentAction[] {
    return this.#all;
  }

  /** Returns the collected results and starts a new list. */
  takeResults(): readonly AgentToolResult[] {
    const results = this.#results;
    this.#results = [];
    return results;
  }

  /** Adds actions that were replayed before the model took over. */
  begin(actions: readonly AgentAction[]): void {
    this.#all.push(...actions);
  }

  note(item: CompletedCall, { step, verbs }: { step: number; verbs: VerbContext }): void {
    const { call, tool: known, outcome, url } = item;
    const { tool, input } = call;
    const { isError = false, effect } = outcome;
    const result = verbs.mask(outcomeText(outcome));
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
    // An accepted `done` is logged with the result of the run.
    if (isError || known?.kind !== 'end') verbs.log.write('agent', 1, `step ${step}: ${actionSentence(item)}`);
    verbs.log.write('agent', 2, `step ${step}: ${tool} was called with ${JSON.stringify(input)}`);
    this.#events.action(noted);
  }
}

const MAX_LINE_LENGTH = 240;
const MAX_GIVEN_LENGTH = 60;

/** Describes a call for the log: `fill "Ada" into textbox "Name". The page changed.` */
function actionSentence({ call: { tool, input }, outcome, isSkipped }: CompletedCall): string {
  const { isError, effect, step, summary, text } = outcome;
  const given = step?.outcome.element.isPassword ? '' : describeInput(tool, input);
  if (isSkipped) return truncate(`${tool} was skipped: ${text.replace(/^Not done: /, '')}`, MAX_LINE_LENGTH);
  if (isError) return truncate(`${tool}${given} ${failureText(outcome)}`, MAX_LINE_LENGTH);
  if (effect === undefined) return truncate(`${tool}${given}: ${(summary ?? text).replace(/:$/, '')}`, MAX_LINE_LENGTH);
  const preposition = PREPOSITIONS[tool];
  const outcomeLine = outcomeText(outcome).replaceAll('Done: ', '');
  const whole =
    preposition && given ? outcomeLine.replace(`${tool} on `, `${tool}${given} ${preposition} `) : outcomeLine;
  return truncate(whole, MAX_LINE_LENGTH);
}

function failureText({ text, quoted = text, objection }: ToolOutcome): string {
  return objection === undefined ? `failed: ${quoted}` : `was not accepted: ${objection}`;
}

/** The word between the argument and the element in a log line: `select "Red" in listbox "Color"`. */
const PREPOSITIONS: Readonly<Record<string, string>> = { fill: 'into', type: 'into', select: 'in', upload: 'to' };
/** Input fields to show in log lines, for tools whose result does not contain the input. */
const GIVEN: Readonly<Record<string, string>> = {
  fill: 'text',
  type: 'text',
  select: 'options',
  upload: 'paths',
  find: 'words',
  extract: 'instruction',
};

function describeInput(tool: string, input: unknown): string {
  const given = isRecord(input) ? input[GIVEN[tool] ?? ''] : undefined;
  const texts = (Array.isArray(given) ? given : [given]).filter((text) => typeof text === 'string');
  return texts
    .map((text, index) => `${index > 0 ? ',' : ''} ${JSON.stringify(truncate(text, MAX_GIVEN_LENGTH))}`)
    .join('');
}
