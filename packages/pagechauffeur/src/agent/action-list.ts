import { wordsOf } from '../tools/outcome-words.ts';
import type { VerbContext } from '../verb/verb-context.ts';
import type { AgentAction, AgentToolResult } from './agent-result.ts';
import type { CompletedCall } from './run-calls.ts';
import type { RunEvents } from './run-events.ts';
import type { ToolOutcome } from '../tools/tool-outcome.ts';
import { isRecord } from '../util/is-record.ts';
import { truncate } from '../util/truncate.ts';

/** The actions of a run as passed to the caller, with variable values masked. */
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

  /** Returns the results since the last call of this method. */
  takeResults(): readonly AgentToolResult[] {
    const results = this.#results;
    this.#results = [];
    return results;
  }

  /** Adds actions that ran before this run started. */
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
    // An accepted `done` call is logged with the result of the run.
    if (isError || known?.kind !== 'end') verbs.log.write('agent', 1, `step ${step}: ${actionSentence(item)}`);
    verbs.log.write('agent', 2, `step ${step}: ${tool} was called with ${JSON.stringify(input)}`);
    this.#events.action(noted);
  }
}

/** Maximum length of a log line, and of a tool argument in it. */
const MAX_LINE_LENGTH = 240;
const MAX_GIVEN_LENGTH = 60;

/** Describes a call for the log: `fill "Ada" into textbox "Name". The page changed.` */
function actionSentence({ call: { tool, input }, outcome, isSkipped }: CompletedCall): string {
  const { isError, effect, step, summary, text } = outcome;
  const given = step?.outcome.element.isPassword ? '' : givenWords(tool, input);
  if (isSkipped) return truncate(`${tool} was skipped: ${text.replace(/^Not done: /, '')}`, MAX_LINE_LENGTH);
  if (isError) return truncate(`${tool}${given} ${failureText(outcome)}`, MAX_LINE_LENGTH);
  if (effect === undefined) return truncate(`${tool}${given}: ${(summary ?? text).replace(/:$/, '')}`, MAX_LINE_LENGTH);
  const preposition = PREPOSITIONS[tool];
  const said = wordsOf(outcome).replaceAll('Done: ', '');
  const whole = preposition && given ? said.replace(`${tool} on `, `${tool}${given} ${preposition} `) : said;
  return truncate(whole, MAX_LINE_LENGTH);
}

/** A `done` call that was questioned is not a failure. */
function failureText({ text, quoted = text, objection }: ToolOutcome): string {
  return objection === undefined ? `failed: ${quoted}` : `was not accepted: ${objection}`;
}

/** Prepositions between an argument and its element. */
const PREPOSITIONS: Readonly<Record<string, string>> = { fill: 'into', type: 'into', select: 'in', upload: 'to' };
/** The input field to log for tools whose result does not repeat it. */
const GIVEN: Readonly<Record<string, string>> = {
  fill: 'text',
  type: 'text',
  select: 'options',
  upload: 'paths',
  find: 'words',
  extract: 'instruction',
};

function givenWords(tool: string, input: unknown): string {
  const given = isRecord(input) ? input[GIVEN[tool] ?? ''] : undefined;
  const texts = (Array.isArray(given) ? given : [given]).filter((text) => typeof text === 'string');
  return texts
    .map((text, index) => `${index > 0 ? ',' : ''} ${JSON.stringify(truncate(text, MAX_GIVEN_LENGTH))}`)
    .join('');
}
