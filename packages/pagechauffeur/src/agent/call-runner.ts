import { DriverError } from '../errors.ts';
import type { RequiredSettle } from '../actions/element-action.ts';
import type { ModelCall } from '../model/model-client.ts';
import type { NamedElement, ToolContext } from '../tools/tool-context.ts';
import { failed, type ToolOutcome } from '../tools/tool-outcome.ts';
import type { ResolvedCall } from '../tools/describe-tools.ts';
import type { Tool } from '../tools/tool.ts';
import { isRecord } from '../util/is-record.ts';
import { Progress } from '../util/progress.ts';
import type { PageWatch } from './page-watch.ts';
import { type CallRunner, type CompletedCall, MAX_CALLS } from './run-calls.ts';
import type { Task } from './task.ts';
import type { DocumentIdentity, WorkPage } from './work-page.ts';
import { DocumentGoneError } from '../cdp/protocol-error.ts';
import { highlightElement } from '../page/highlight-element.ts';

interface StepContext {
  readonly progress: Progress;
  readonly task: Task;
  readonly work: WorkPage;
  readonly watch: PageWatch;
  readonly step: number;
  /** The tools that `prepareStep` left active. */
  readonly tools: readonly Tool[];
  onEnd(item: CompletedCall): void;
}

/**
 * Creates the runner for one step. Each call has its own timeout and runs on the current page, which an earlier call
 * may have changed.
 */
export function callRunner(stepContext: StepContext): CallRunner {
  const { progress, task, work, tools } = stepContext;
  return {
    // Some computer-use models request each click and key as a separate call.
    mostCalls: task.computer ? Number.POSITIVE_INFINITY : MAX_CALLS,
    tools: new Map(tools.map((tool) => [tool.name, tool])),
    begin: (now, then) => beginTool(stepContext, now.tool, requiredSettle(task, now, then)),
    documentIdentity: () => work.documentIdentity,
    isOnOtherPage: (before, rest) => isElsewhere(stepContext, before, rest),
    throwIfEnded: () => progress.throwIfEnded(),
    interruption: async (tool) => {
      if (tool?.kind !== 'act') return undefined;
      try {
        return (await task.takeoverEnded(progress)) ? OPERATOR_TOOK_OVER : undefined;
      } catch (error) {
        progress.throwIfEnded();
        throw error;
      }
    },
    refusal: (context, call, tool) => refusalOf(stepContext, context, { call, tool }),
    onEnd: (item) => stepContext.onEnd(item),
  };
}

async function refusalOf(
  { task, step }: StepContext,
  context: ToolContext,
  { call, tool }: { readonly call: ModelCall; readonly tool: Tool },
): Promise<string | undefined> {
  const element = (ref: string): NamedElement | undefined => context.element(ref);
  const { page, shown } = context;
  const mask = (text: string): string => context.verbs.mask(text);
  const refusal = await task.gate.refusal(context.progress, { call, tool, page, step, shown, element, mask });
  if (refusal === undefined && tool.kind === 'act' && task.highlightsTargets)
    await highlightTarget(context, call.input);
  return refusal;
}

/** Duration of a highlight in ms. */
const SHOWN_MS = 400;

async function highlightTarget(context: ToolContext, input: unknown): Promise<void> {
  const ref = isRecord(input) ? input['ref'] : undefined;
  const named = typeof ref === 'string' ? context.element(ref) : undefined;
  const { frame, world, element } = named?.target ?? {};
  if (!frame || !world || !element || !('ref' in element)) return;
  try {
    await highlightElement(context.progress, { frame, world, ref: element.ref }, { durationMs: SHOWN_MS });
  } catch (error) {
    // The element's document is gone. The tool reports that.
    if (!(error instanceof DocumentGoneError)) throw error;
  }
}

/** Runs a tool for another tool, for example the clicks of `select` on a custom list. */
async function runPart(
  stepContext: StepContext,
  context: ToolContext,
  { tool: name, input }: Pick<ModelCall, 'tool' | 'input'>,
): Promise<ToolOutcome> {
  const tool = stepContext.tools.find((other) => other.name === name);
  if (!tool) return failed(`The tool ${name} is not available here.`);
  const refusal = await refusalOf(stepContext, context, { call: { id: name, tool: name, input }, tool });
  return refusal === undefined ? tool.run(context, input) : failed(refusal);
}

/**
 * True if the remaining calls were meant for another page. If only the URL has changed, checks whether the page still
 * has all elements that the model has seen.
 */
async function isElsewhere(
  { progress: run, work, watch, task }: StepContext,
  before: DocumentIdentity,
  rest: readonly ResolvedCall[],
): Promise<boolean> {
  const { document, address } = work.documentIdentity;
  if (document !== before.document || rest.length === 0) return document !== before.document;
  if (address === before.address) return false;
  using progress = new Progress({
    operation: 'agent',
    timeout: run.childTimeout(task.toolTimeout),
    signals: [run.signal],
    obstacle: () => work.page.target.obstacle,
  });
  try {
    return !(await watch.showsSame(progress, work.page, refsIn(rest)));
  } catch (error) {
    run.throwIfEnded();
    if (error instanceof DriverError) return true;
    throw error;
  }
}

function refOf({ call: { input } }: ResolvedCall): string | undefined {
  return isRecord(input) && typeof input['ref'] === 'string' ? input['ref'] : undefined;
}

function refsIn(calls: readonly ResolvedCall[]): readonly string[] {
  return calls.flatMap(({ call: { input } }) =>
    isRecord(input) ? [input['ref'], input['to']].filter((value) => typeof value === 'string') : [],
  );
}

/** Reason for skipping a call. The model then gets a snapshot of the page as the operator left it. */
const OPERATOR_TOOK_OVER =
  'an operator took over the browser and has just handed it back. Look at the current page and continue from there';

/**
 * Returns how far the page must settle after a call. Before an action on an element, one frame is enough, because the
 * action waits for its element. Exception: a key press on the same element may choose a suggestion, which first has to
 * appear.
 */
function requiredSettle(
  { computer, withScreenshots }: Task,
  now: ResolvedCall,
  then: ResolvedCall | undefined,
): RequiredSettle {
  const next = then && refOf(then);
  const isForSuggestions = then?.call.tool === 'press' && next === refOf(now);
  if (then?.tool?.kind === 'act' && next !== undefined && !isForSuggestions) return { frames: 1, motion: 'arrival' };
  return computer || withScreenshots ? {} : { motion: 'text' };
}

function beginTool(stepContext: StepContext, tool: Tool | undefined, settle: RequiredSettle): ToolContext & Disposable {
  const { progress: run, task, work, watch } = stepContext;
  const { page } = work;
  const progress = new Progress({
    operation: tool?.name ?? 'agent',
    timeout: tool?.hasNoTimeout ? 0 : run.childTimeout(task.toolTimeout),
    signals: [run.signal],
    obstacle: () => page.target.obstacle,
  });
  const context = task.host.context({
    progress,
    page,
    shown: watch.shown(page),
    element: (ref) => watch.element(page, ref),
    noteShown: (snapshot) => watch.noteShown(page, snapshot),
    expand: (ref) => watch.expand(ref),
    usePage: (other) => work.use(other),
    hasTool: (name) => task.tools.some((other) => other.name === name),
    runTool: (name, inner, input) => runPart(stepContext, inner, { tool: name, input }),
    requiredSettle: settle,
  });
  return { ...context, [Symbol.dispose]: () => progress[Symbol.dispose]() };
}
