import { AgentAbortError, DriverInvalidArgumentError, DriverTimeoutError } from '../errors.ts';
import type { Page } from '../page/page.ts';
import { describeValue } from '../util/check-argument.ts';
import type { Log } from '../util/log.ts';
import { Progress } from '../util/progress.ts';
import { VERB_TIMEOUT_MS } from '../verb/verb-context.ts';
import type { AgentPart } from './agent-callbacks.ts';
import { type AgentConfig, type ExecuteOptions, MAX_STEPS } from './agent-options.ts';
import type { AgentResult } from './agent-result.ts';
import { checkTask } from './check-agent-options.ts';
import type { DriverParts } from './driver-parts.ts';
import { RunEvents } from './run-events.ts';
import { RunRecord } from './replay/run-record.ts';
import { type AgentOutcome, replayOrRun } from './replay/replaying.ts';
import { BudgetTracker } from './budget-tracker.ts';
import { prepareTask } from './task.ts';
import { type ScriptOptions, toScript } from './script/to-script.ts';

interface LoggableTask {
  readonly instruction: string;
  readonly options: object;
}

export interface AgentHost {
  readonly log: Log;
  /** Runs a task and records it in log, history and metrics, with masked variable values. */
  record(task: LoggableTask, run: (parts: DriverParts) => Promise<AgentOutcome>): Promise<AgentOutcome>;
}

interface Execution {
  readonly host: AgentHost;
  readonly config: AgentConfig;
  readonly task: string | ExecuteOptions;
  readonly onPart?: (part: AgentPart) => void;
}

export async function executeTask({ host, config, task, onPart }: Execution): Promise<AgentResult> {
  const options = optionsOf(task);
  const { callbacks } = options;
  const events = new RunEvents({ callbacks, onPart, log: host.log });
  try {
    const record = new RunRecord(options.instruction);
    const outcome = await host.record(loggableTask(options), (parts) => {
      checkTask(options);
      return runTask(parts, { config, options, events, record });
    });
    const result = withScript({ ...outcome, steps: events.steps }, record);
    events.ended(result);
    return result;
  } catch (error) {
    if (error instanceof AgentAbortError) events.aborted(error.cause);
    else events.failed(error);
    throw error;
  }
}

/** Adds `toScript` as a non-enumerable property, so that results can be compared and serialized. */
function withScript(outcome: Omit<AgentResult, 'toScript'>, record: RunRecord): AgentResult {
  const script = { value: (options?: ScriptOptions) => toScript(record, options) };
  return Object.defineProperty({ ...outcome }, 'toScript', script) as AgentResult;
}

interface Given {
  readonly config: AgentConfig;
  readonly options: ExecuteOptions;
  readonly events: RunEvents;
  readonly record: RunRecord;
}

async function runTask(parts: DriverParts, { config, options, events, record }: Given): Promise<AgentOutcome> {
  using progress = new Progress({
    operation: 'agent',
    timeout: options.budget?.ms ?? 0,
    signals: [options.signal, config.signal, parts.signal],
    abortError: AgentAbortError,
  });
  const budgetTracker = new BudgetTracker({ budget: options.budget ?? {}, maxSteps: options.maxSteps ?? MAX_STEPS });
  try {
    const page = await pageOf(progress, parts, options.page);
    await using task = await prepareTask(progress, parts, { config, options, events, budgetTracker, page });
    const { instruction, modelName, tools } = task;
    events.started({ instruction, modelName, tools: tools.map(({ name }) => name) });
    return await replayOrRun(progress, task, { page, record });
  } catch (error) {
    // The agent loop handles this timeout itself. Here it expired outside the loop, for example during a replay.
    if (!(error instanceof DriverTimeoutError) || error !== progress.signal.reason) throw error;
    return timeUp({ options, events, budgetTracker });
  }
}

function timeUp({
  options,
  events,
  budgetTracker,
}: Pick<Given, 'options' | 'events'> & { budgetTracker: BudgetTracker }): AgentOutcome {
  const { messages = [], budget = {} } = options;
  const { actions } = events;
  return {
    success: false,
    completed: false,
    message: `The run ended before the task was done: its budget of ${budget.ms} ms was spent.`,
    actions,
    messages,
    usage: budgetTracker.usage,
    metadata: { replayedSteps: actions.filter(({ step }) => step === 0).length },
  };
}

/** A page of another library may never respond, so resolving it has its own timeout. */
async function pageOf(progress: Progress, parts: DriverParts, given: ExecuteOptions['page']): Promise<Page> {
  const timeout = progress.childTimeout(VERB_TIMEOUT_MS);
  using asking = new Progress({ operation: 'agent', timeout, signals: [progress.signal] });
  return await parts.pageOf(asking, given);
}

function optionsOf(task: string | ExecuteOptions): ExecuteOptions {
  if (typeof task === 'string') return { instruction: task };
  if (typeof task === 'object' && task !== null && !Array.isArray(task)) return task;
  throw new DriverInvalidArgumentError(
    `task must be a string, or an object with an instruction. Received ${describeValue(task)}.`,
    { argument: 'task' },
  );
}

function loggableTask(options: ExecuteOptions): LoggableTask {
  const { instruction, maxSteps, budget, toolTimeout, excludeTools, variables } = options;
  const given = Object.entries({ maxSteps, budget, toolTimeout, excludeTools, variables });
  return { instruction, options: Object.fromEntries(given.filter(([, value]) => value !== undefined)) };
}
