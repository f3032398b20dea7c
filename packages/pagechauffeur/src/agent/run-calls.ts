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

/** A call that was carried out, or refused, with what came of it. */
export interface CompletedCall {
  /** By the name of the tool that it means. */
  readonly call: ModelCall;
  readonly tool: Tool | undefined;
  /** The name that the model called it by, which may be that of a group. */
  readonly calledAs: string;
  readonly outcome: ToolOutcome;
  /** It was not begun, because of what came before it in the same step, or of a person who worked in the browser. */
  readonly isSkipped: boolean;
  /** The page that it was done on. */
  readonly url: string;
}

/** How the calls of a step are carried out. */
export interface CallRunner {
  readonly tools: ReadonlyMap<string, Tool>;
  /** Calls of one answer that are carried out. */
  readonly mostCalls: number;
  /** What a call works with; the page may be another one after each. `then` is the call after it. */
  begin(now: ResolvedCall, then: ResolvedCall | undefined): ToolContext & Disposable;
  place(): Place;
  /** Whether the calls that are left were chosen for another page than the one that is there now. */
  isElsewhere(before: Place, rest: readonly ResolvedCall[]): Promise<boolean>;
  /** Waits while a person works in the browser; why what was chosen before is not to be done then. */
  interruption(tool: Tool | undefined): Promise<string | undefined>;
  /** Why a call is not to be carried out; undefined when it may be. */
  refusal(context: ToolContext, call: ModelCall, tool: Tool): Promise<string | undefined>;
  /** Throws when the run has ended. */
  throwIfEnded(): void;
  /** Told each call when it has come to its end. */
  onEnd(item: CompletedCall): void;
}

/** Calls of one answer that are carried out, of tools that are asked for in words. */
export const MOST_CALLS = 10;

/**
 * Carries out the calls of one step in their order. What comes after a call that failed, or that led to another page or document,
 * was chosen for a page that is no longer there, and is told as not done; so is what comes after the end of the task. The end itself
 * may follow what led elsewhere: it is judged by what the page shows then.
 */
export async function runCalls(calls: readonly ModelCall[], runner: CallRunner): Promise<readonly CompletedCall[]> {
  const done: CompletedCall[] = [];
  let stop: Stop | undefined;
  const resolved = calls.map((asked) => ({ asked, ...resolveCall(asked, runner.tools) }));
  for (const [index, { asked, call, tool }] of resolved.entries()) {
    runner.throwIfEnded();
    using context = runner.begin({ call, tool }, resolved[index + 1]);
    const [before, url] = [runner.place(), context.page.url()];
    if (index === runner.mostCalls) stop ??= { why: `${index} calls are enough for one step` };
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

/** What sets words of a page apart from ours. */
type Telling = Parameters<typeof formatOutcome>[1];

/** The results as the model is told them. */
export function toResults(carriedOut: readonly CompletedCall[], telling: Telling): ModelCallResult[] {
  return carriedOut.map(({ call: { id }, calledAs, outcome }) => ({
    id,
    tool: calledAs,
    text: formatOutcome(outcome, telling),
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
    // A tool that takes no notice of the end is left to itself.
    return refusal === undefined ? await context.progress.race(tool.run(context, call.input)) : failed(refusal);
  } catch (error) {
    // What ended the run ends it here, too; whatever else went wrong is for the model to deal with.
    runner.throwIfEnded();
    return failedCall(call.tool, error, context.hasTool);
  }
}

/** A broken answer is shown as it was, for the model is shown it otherwise. */
function noObject(input: unknown): string {
  const given = typeof input === 'string' ? input : JSON.stringify(input);
  return `what it was to be given is no JSON object: ${truncate(given, LONGEST_GIVEN)} Call it again with the whole of it.`;
}

/** Characters of what a call was given that are repeated. */
const LONGEST_GIVEN = 200;

/** Why the rest of a step is not done. */
interface Stop {
  readonly why: string;
  /** The call that led elsewhere, right after which the task may end. */
  readonly after?: CompletedCall;
}

function stopAfter(item: CompletedCall, isElsewhere: boolean): Stop | undefined {
  const { call, tool, outcome } = item;
  if (outcome.isError) return { why: `${call.tool} before it failed` };
  if (tool?.kind === 'end') return { why: `${call.tool} before it ends the task` };
  return isElsewhere
    ? { why: `${call.tool} before it led to another page, which you have yet to see`, after: item }
    : undefined;
}
