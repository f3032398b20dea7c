import type { ModelCall, ModelCallResult } from '../model/model-client.ts';
import { failedCall } from '../tools/failed-call.ts';
import { formatOutcome } from '../tools/outcome-words.ts';
import { type ResolvedCall, resolveCall, unknownTool } from '../tools/describe-tools.ts';
import type { Tool } from '../tools/tool.ts';
import type { ToolContext } from '../tools/tool-context.ts';
import { failed, type ToolOutcome } from '../tools/tool-outcome.ts';
import { isRecord } from '../util/is-record.ts';
import { truncate } from '../util/truncate.ts';
import type { Place } from './work-page.ts';

/** A call that ran or was refused, with its outcome. */
export interface CompletedCall {
  /** Has the name of the tool, not of its group. */
  readonly call: ModelCall;
  readonly tool: Tool | undefined;
  /** The name that the model used. It can be the name of a group. */
  readonly calledAs: string;
  readonly outcome: ToolOutcome;
  /**
   * True if the call did not start because of an earlier call in the step, or because a person took over the browser.
   */
  readonly isSkipped: boolean;
  /** URL of the page of the call. */
  readonly url: string;
}

/** Runs the tool calls of a step. */
export interface CallRunner {
  readonly tools: ReadonlyMap<string, Tool>;
  /** Maximum number of calls in one response. */
  readonly mostCalls: number;
  /** Returns the context of a call. The page can be another one after each call. `then` is the next call. */
  begin(now: ResolvedCall, then: ResolvedCall | undefined): ToolContext & Disposable;
  place(): Place;
  /** True if the page has changed so that the remaining calls do not apply. */
  isElsewhere(before: Place, rest: readonly ResolvedCall[]): Promise<boolean>;
  /** Waits while a person uses the browser. If one did, returns the reason to skip the pending calls. */
  interruption(tool: Tool | undefined): Promise<string | undefined>;
  /** Returns the reason why a call must not run, or `undefined` if it can run. */
  refusal(context: ToolContext, call: ModelCall, tool: Tool): Promise<string | undefined>;
  throwIfEnded(): void;
  /** Called with each completed call. */
  onEnd(item: CompletedCall): void;
}

/** Maximum number of calls in one response, for tools with text results. */
export const MAX_CALLS = 10;

/**
 * Runs the calls of a step in order. Skips calls after one that failed, ended the task or led to another page or
 * document, because they were meant for the earlier page. A call that ends the task can follow a navigation, because
 * its claim is checked against the new page.
 */
export async function runCalls(calls: readonly ModelCall[], runner: CallRunner): Promise<readonly CompletedCall[]> {
  const done: CompletedCall[] = [];
  let stop: Stop | undefined;
  const resolved = calls.map((asked) => ({ asked, ...resolveCall(asked, runner.tools) }));
  for (const [index, { asked, call, tool }] of resolved.entries()) {
    runner.throwIfEnded();
    using context = runner.begin({ call, tool }, resolved[index + 1]);
    const [before, url] = [runner.place(), context.page.url()];
    if (index === runner.mostCalls) stop ??= { why: `a step runs at most ${index} calls` };
    const interruption = stop ? undefined : await runner.interruption(tool);
    if (interruption !== undefined) stop = { why: interruption };
    const isSkipped = stop !== undefined && !(tool?.kind === 'end' && stop.after === done.at(-1));
    const outcome = isSkipped
      ? failed(`Not done: ${stop?.why}.`)
      : await runCall(asked, { call, tool, context, runner });
    const item = { call, tool, calledAs: asked.tool, outcome, isSkipped, url };
    done.push(item);
    runner.onEnd(item);
    stop ??= stopAfter(item, await runner.isElsewhere(before, resolved.slice(index + 1)));
  }
  return done;
}

/** Options for marking page text as untrusted. */
type FormatOptions = Parameters<typeof formatOutcome>[1];

/** Formats results for the model. */
export function toResults(carriedOut: readonly CompletedCall[], format: FormatOptions): ModelCallResult[] {
  return carriedOut.map(({ call: { id }, calledAs, outcome }) => ({
    id,
    tool: calledAs,
    text: formatOutcome(outcome, format),
    ...(outcome.images ? { images: outcome.images } : {}),
    ...(outcome.isError ? { isError: outcome.isError } : {}),
    ...(outcome.effect ? { effect: outcome.effect } : {}),
  }));
}

interface Running {
  readonly call: ModelCall;
  readonly tool: Tool | undefined;
  readonly context: ToolContext;
  readonly runner: CallRunner;
}

async function runCall(asked: ModelCall, { call, tool, context, runner }: Running): Promise<ToolOutcome> {
  if (!tool) return failed(unknownTool(asked, runner.tools));
  if (!isRecord(call.input)) return failed(`${call.tool} was not called: ${noObject(call.input)}`);
  try {
    const refusal = await runner.refusal(context, call, tool);
    // If a tool ignores the abort signal, the call ends without waiting for it.
    return refusal === undefined ? await context.progress.race(tool.run(context, call.input)) : failed(refusal);
  } catch (error) {
    // An error that ends the run is rethrown. All others are reported to the model.
    runner.throwIfEnded();
    return failedCall(call.tool, error, context.hasTool);
  }
}

/** Quotes a malformed input as the model wrote it, because the conversation shows it in another form. */
function noObject(input: unknown): string {
  const given = typeof input === 'string' ? input : JSON.stringify(input);
  return `its input is not a JSON object: ${truncate(given, MAX_GIVEN_LENGTH)} Call it again with the complete input.`;
}

/** Maximum length of a call's input in a message. */
const MAX_GIVEN_LENGTH = 200;

/** The reason why the rest of a step is skipped. */
interface Stop {
  readonly why: string;
  /** The call that led to another page. The task can end right after it. */
  readonly after?: CompletedCall;
}

function stopAfter(item: CompletedCall, isElsewhere: boolean): Stop | undefined {
  const { call, tool, outcome } = item;
  if (outcome.isError) return { why: `the earlier call ${call.tool} failed` };
  if (tool?.kind === 'end') return { why: `the earlier call ${call.tool} ends the task` };
  return isElsewhere
    ? { why: `the earlier call ${call.tool} opened another page, which you have not seen yet`, after: item }
    : undefined;
}
