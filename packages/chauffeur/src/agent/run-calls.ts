import { DriverError } from '../errors.ts';
import type { ModelCall, ModelCallResult } from '../model/model-client.ts';
import { failed, type Tool, type ToolOutcome } from '../tools/tool.ts';
import type { ToolContext } from '../tools/tool-context.ts';
import { reasonOf } from '../util/error-facts.ts';
import { documentOf } from './page-watch.ts';

/** A call that was carried out, or refused, with what came of it. */
export interface CarriedOut {
  readonly call: ModelCall;
  readonly tool: Tool | undefined;
  readonly outcome: ToolOutcome;
  /** The page that it was done on. */
  readonly url: string;
}

/** How the calls of a step are carried out. */
export interface CallRunner {
  readonly tools: ReadonlyMap<string, Tool>;
  /** What the next call works with; the page may be another one after each. */
  begin(): ToolContext & Disposable;
  /** Why a call is not to be carried out; undefined when it may be. */
  refusal(call: ModelCall, tool: Tool): Promise<string | undefined>;
}

/**
 * Carries out the calls of one step in their order. What comes after a call that failed, or that led to another page or document,
 * was chosen for a page that is no longer there, and is told as not done.
 */
export async function runCalls(calls: readonly ModelCall[], runner: CallRunner): Promise<readonly CarriedOut[]> {
  const done: CarriedOut[] = [];
  let stopped: string | undefined;
  for (const call of calls) {
    using context = runner.begin();
    const tool = runner.tools.get(call.tool);
    const [before, url] = [documentOf(context.page), context.page.url()];
    const outcome =
      stopped === undefined ? await runCall(call, { tool, context, runner }) : failed(`Not done: ${stopped}.`);
    done.push({ call, tool, outcome, url });
    stopped ??= stopAfter(call, outcome, isElsewhere(runner, before));
  }
  return done;
}

/** The results as the model is told them. */
export function toResults(carriedOut: readonly CarriedOut[]): ModelCallResult[] {
  return carriedOut.map(({ call: { id, tool }, outcome: { text, images, isError } }) => ({
    id,
    tool,
    text,
    ...(images ? { images } : {}),
    ...(isError ? { isError } : {}),
  }));
}

interface Running {
  readonly tool: Tool | undefined;
  readonly context: ToolContext;
  readonly runner: CallRunner;
}

async function runCall(call: ModelCall, { tool, context, runner }: Running): Promise<ToolOutcome> {
  if (!tool)
    return failed(`There is no tool ${JSON.stringify(call.tool)}. There are: ${[...runner.tools.keys()].join(', ')}.`);
  try {
    const refusal = await runner.refusal(call, tool);
    return refusal === undefined ? await tool.run(context, call.input) : failed(refusal);
  } catch (error) {
    // What ended the run ends it here, too; whatever else went wrong is for the model to deal with.
    if (runner.begin === undefined || context.progress.signal.aborted) context.progress.throwIfEnded();
    return failed(error instanceof DriverError ? error.message : `The tool failed: ${reasonOf(error)}`);
  }
}

function stopAfter({ tool }: ModelCall, { isError }: ToolOutcome, isElsewhere: boolean): string | undefined {
  if (isError) return `${tool} before it failed`;
  return isElsewhere ? `${tool} before it led to another page, which you have yet to see` : undefined;
}

function isElsewhere(runner: CallRunner, before: string): boolean {
  using context = runner.begin();
  return documentOf(context.page) !== before;
}
