import type { ModelCall, ModelCallResult, ModelOpenPage } from '../model/model-client.ts';
import { harmless } from '../model/untrusted-text.ts';
import { failedCall } from '../tools/failed-call.ts';
import { formatOutcome } from '../tools/outcome-text.ts';
import { type ResolvedCall, resolveCall, unknownTool } from '../tools/describe-tools.ts';
import type { Tool } from '../tools/tool.ts';
import type { ToolContext } from '../tools/tool-context.ts';
import { failed, type ToolOutcome } from '../tools/tool-outcome.ts';
import { isRecord } from '../util/is-record.ts';
import { truncate } from '../util/truncate.ts';
import type { DocumentIdentity } from './work-page.ts';

export interface CompletedCall {
  /** The call with the tool's own name, not that of its group. */
  readonly call: ModelCall;
  readonly tool: Tool | undefined;
  /** The name that the model used. Can be a tool group. */
  readonly calledAs: string;
  readonly outcome: ToolOutcome;
  /** True if an earlier call, an operator or the limit of calls ended the step before this call could run. */
  readonly isSkipped: boolean;
  /** URL of the page before the call. */
  readonly url: string;
}

/** What {@link runCalls} needs from the run. */
export interface CallRunner {
  readonly tools: ReadonlyMap<string, Tool>;
  readonly mostCalls: number;
  /** Creates the context for `now`. `then` is the next call, which decides how far the page must settle. */
  begin(now: ResolvedCall, then: ResolvedCall | undefined): ToolContext & Disposable;
  documentIdentity(): DocumentIdentity;
  /** True if the calls in `rest` were meant for another page or document. */
  isOnOtherPage(before: DocumentIdentity, rest: readonly ResolvedCall[]): Promise<boolean>;
  /** Waits while an operator controls the browser. If one did, returns the reason to skip the remaining calls. */
  interruption(tool: Tool | undefined): Promise<string | undefined>;
  /** Returns the refusal to send to the model, or `undefined` if the call may run. */
  refusal(context: ToolContext, call: ModelCall, tool: Tool): Promise<string | undefined>;
  throwIfEnded(): void;
  onEnd(item: CompletedCall): void;
}

/** Maximum number of calls in one response, except with computer use. */
export const MAX_CALLS = 10;

/**
 * Runs the calls of a step in order. After a failure, a navigation or `done`, it skips the rest. Exception: a `done`
 * directly after a navigation runs, because it is checked against the new page.
 */
export async function runCalls(calls: readonly ModelCall[], runner: CallRunner): Promise<readonly CompletedCall[]> {
  const done: CompletedCall[] = [];
  let stop: Stop | undefined;
  const resolved = calls.map((asked) => ({ asked, ...resolveCall(asked, runner.tools) }));
  for (const [index, { asked, call, tool }] of resolved.entries()) {
    runner.throwIfEnded();
    using context = runner.begin({ call, tool }, resolved[index + 1]);
    const [before, url] = [runner.documentIdentity(), context.page.url()];
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
    stop ??= stopAfter(item, await runner.isOnOtherPage(before, resolved.slice(index + 1)));
  }
  return done;
}

type FormatOptions = Parameters<typeof formatOutcome>[1];

export function toResults(completed: readonly CompletedCall[], format: FormatOptions): ModelCallResult[] {
  return completed.map(({ call: { id }, calledAs, outcome, isSkipped }) => ({
    id,
    tool: calledAs,
    text: formatOutcome(outcome, format),
    ...(outcome.images ? { images: outcome.images } : {}),
    ...(outcome.isError ? { isError: outcome.isError } : {}),
    ...(outcome.effect ? { effect: outcome.effect } : {}),
    ...(isSkipped ? { isSkipped } : {}),
    ...(outcome.opened ? { opened: outcome.opened } : {}),
    ...(outcome.openPages ? { openPages: outcome.openPages.map((page) => harmlessPage(page, format)) } : {}),
  }));
}

/** Pages choose their titles and URLs. */
function harmlessPage({ title, url, ...page }: ModelOpenPage, { variables }: FormatOptions): ModelOpenPage {
  return { ...page, title: harmless(title, variables), url: harmless(url, variables) };
}

interface Running {
  readonly call: ModelCall;
  readonly tool: Tool | undefined;
  readonly context: ToolContext;
  readonly runner: CallRunner;
}

async function runCall(asked: ModelCall, { call, tool, context, runner }: Running): Promise<ToolOutcome> {
  if (!tool) return failed(unknownTool(asked, runner.tools));
  if (!isRecord(call.input)) return failed(`${call.tool} was not called: ${notAnObject(call.input)}`);
  try {
    const refusal = await runner.refusal(context, call, tool);
    // A tool can ignore the abort signal.
    return refusal === undefined ? await context.progress.race(tool.run(context, call.input)) : failed(refusal);
  } catch (error) {
    // Errors that end the run are rethrown. The model gets all others as results.
    runner.throwIfEnded();
    return failedCall(call.tool, error, context.hasTool);
  }
}

/** Quotes the malformed input, because the conversation shows it in another form. */
function notAnObject(input: unknown): string {
  const given = typeof input === 'string' ? input : JSON.stringify(input);
  return `its input is not a JSON object (received ${truncate(given, MAX_GIVEN_LENGTH)}). Call it again with the complete input.`;
}

const MAX_GIVEN_LENGTH = 200;

/** Why the rest of a step is skipped. */
interface Stop {
  readonly why: string;
  /** The call that opened another page. `done` may follow it directly. */
  readonly after?: CompletedCall;
}

function stopAfter(item: CompletedCall, isOnOtherPage: boolean): Stop | undefined {
  const { call, tool, outcome } = item;
  if (outcome.isError) return { why: `the earlier call ${call.tool} failed` };
  if (tool?.kind === 'end') return { why: `the earlier call ${call.tool} ends the task` };
  return isOnOtherPage
    ? { why: `the earlier call ${call.tool} opened another page, which you have not seen yet`, after: item }
    : undefined;
}
