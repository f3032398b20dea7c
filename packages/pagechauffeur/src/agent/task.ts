import { DriverInvalidArgumentError } from '../errors.ts';
import type { ExtractSchema } from '../extract/schema.ts';
import { extractionShape } from '../extract/schema-shape.ts';
import type { ModelClient, ModelMessage } from '../model/model-client.ts';
import type { ModelConfiguration } from '../model/model-configuration.ts';
import type { Page } from '../page/page.ts';
import type { Tool } from '../tools/tool.ts';
import { toolsNamed } from '../tools/describe-tools.ts';
import { openToolbox, type Toolbox } from '../tools/toolbox.ts';
import { ToolHost } from '../tools/tool-host.ts';
import type { Progress } from '../util/progress.ts';
import { VariableTable } from '../policy/variables.ts';
import type { VerbContext } from '../verb/verb-context.ts';
import { ActionGate } from './action-gate.ts';
import type { PrepareStep } from './agent-callbacks.ts';
import { type AgentConfig, type ExecuteOptions, MAX_STEPS, TOOL_TIMEOUT_MS } from './agent-options.ts';
import type { DriverParts } from './driver-parts.ts';
import { ComputerUse } from './computer-use/computer-use.ts';
import { doneTool } from './done-tool.ts';
import type { RunEvents } from './run-events.ts';
import type { BudgetTracker } from './budget-tracker.ts';

/** The resolved settings of a run. */
export interface Task extends AsyncDisposable {
  /** The instruction as the caller wrote it. Part of the cache key. */
  readonly written: string;
  /** `written`, with `%%` replaced by `%`. */
  readonly instruction: string;
  readonly variables: VariableTable;
  readonly tools: readonly Tool[];
  readonly model: ModelConfiguration | undefined;
  /** `provider/model`. `undefined` if none is configured or it cannot be used. The first model call then throws. */
  readonly modelName: string | undefined;
  readonly prepareStep: PrepareStep | undefined;
  readonly systemPrompt: string | undefined;
  readonly maxSteps: number;
  readonly toolTimeout: number;
  /** Messages from the run that this one continues. */
  readonly earlier: readonly ModelMessage[];
  /** Maximum number of tokens in the conversation. Longer ones are summarized. */
  readonly contextTokens: number;
  /** True if a model of the run may read {@link ModelPageView.nodes}. */
  readonly withTree: boolean;
  /** True if the model receives a screenshot with each page and can click at its coordinates. */
  readonly withScreenshots: boolean;
  readonly highlightsTargets: boolean;
  readonly browser: DriverParts['browser'];
  readonly host: ToolHost;
  readonly gate: ActionGate;
  readonly takeoverEnded: DriverParts['takeoverEnded'];
  readonly budgetTracker: BudgetTracker;
  readonly events: RunEvents;
  /** Set in mode `cua`, unless the model is missing or cannot be used. */
  readonly computer: ComputerUse | undefined;
  /** Called after each step with the text of the model's response. */
  readonly noteResponse?: (words: string) => void;
  /** Returns a context whose model calls count against the budget. */
  verbs(page: Page): VerbContext;
}

interface Given {
  readonly config: AgentConfig;
  readonly options: ExecuteOptions;
  readonly events: RunEvents;
  readonly budgetTracker: BudgetTracker;
  readonly page: Page;
}

const CONTEXT_TOKENS = 100_000;

/** Resolves all settings of a run and opens its tools. */
export async function prepareTask(progress: Progress, parts: DriverParts, given: Given): Promise<Task> {
  const { config, options, events, budgetTracker, page } = given;
  const {
    instruction: written,
    maxSteps = MAX_STEPS,
    toolTimeout = TOOL_TIMEOUT_MS,
    excludeTools = [],
    callbacks,
  } = options;
  const variables = new VariableTable(options.variables);
  const instruction = variables.readTask(written, page.url());
  const models = await findModels(progress, parts, given);
  const { client, systemPrompt, verbs } = models;
  const onSafetyCheck = callbacks?.onSafetyCheck?.bind(callbacks);
  // Without a usable model, the run starts, and its first model call throws the error that says what to configure.
  const usesComputer = config.mode === 'cua' && client;
  const computer = usesComputer
    ? new ComputerUse({ client, onSafetyCheck, excludeTools: excludeTools.flatMap(toolsNamed), toolTimeout })
    : undefined;
  const ask = callbacks?.onHandoff?.bind(callbacks);
  const host = new ToolHost({
    browser: parts.browser,
    variables,
    instruction,
    files: options.files,
    ask,
    verbs: models.toolVerbs,
  });
  const withScreenshots = config.mode === 'hybrid' && acceptsImages(client);
  if (config.mode === 'hybrid' && client && !withScreenshots) verbs(page).log.write('agent', 1, unseen(client));
  const toolbox = await openTools(progress, { config, options, client, withScreenshots });
  return {
    written,
    instruction,
    variables,
    tools: computer?.toolsAmong(toolbox.tools) ?? toolbox.tools,
    computer,
    model: config.model,
    modelName: client?.modelName,
    prepareStep: callbacks?.prepareStep?.bind(callbacks),
    systemPrompt,
    maxSteps,
    toolTimeout,
    earlier: options.messages ?? [],
    contextTokens: config.contextTokens ?? CONTEXT_TOKENS,
    // `prepareStep` can switch to a model that reads trees.
    withTree: callbacks?.prepareStep !== undefined || (client !== undefined && client.readsTree !== false),
    withScreenshots,
    highlightsTargets: options.highlightCursor ?? false,
    browser: parts.browser,
    host,
    gate: new ActionGate(parts.browser, callbacks),
    takeoverEnded: parts.takeoverEnded,
    budgetTracker,
    events,
    verbs,
    async [Symbol.asyncDispose]() {
      host[Symbol.dispose]();
      await toolbox[Symbol.asyncDispose]();
    },
  };
}

interface TaskModels {
  /** The client that decides each step. */
  readonly client: ModelClient | undefined;
  readonly systemPrompt: string | undefined;
  readonly verbs: (page: Page) => VerbContext;
  /** Like `verbs`, with the model for tools such as `extract`. */
  readonly toolVerbs: (page: Page) => VerbContext;
}

/** Resolves the models. The budget counts the usage of both. */
async function findModels(progress: Progress, parts: DriverParts, given: Given): Promise<TaskModels> {
  const { config, budgetTracker, page } = given;
  const { model, executionModel = model } = config;
  const verbs = (other: Page, ownModel?: ModelConfiguration): VerbContext => {
    const context = parts.verbs(other);
    return {
      ...context,
      modelService: context.modelService.forCall((record) => budgetTracker.add(record), { preferred: ownModel }),
    };
  };
  const { modelService, systemPrompt } = verbs(page);
  const client = await modelService.clientOf(progress, model);
  const toolClient = await modelService.clientOf(progress, executionModel);
  for (const asked of [client, toolClient]) if (asked) budgetTracker.checkPrice(asked.modelName);
  return {
    client,
    systemPrompt: config.systemPrompt ?? systemPrompt,
    verbs: (other) => verbs(other),
    toolVerbs: (other) => verbs(other, executionModel),
  };
}

interface ToolsGiven extends Pick<Given, 'config' | 'options'> {
  readonly client: ModelClient | undefined;
  readonly withScreenshots: boolean;
}

async function openTools(progress: Progress, given: ToolsGiven): Promise<Toolbox> {
  const { config, options, client, withScreenshots: hasPoints } = given;
  const { excludeTools = [], output, callbacks = {} } = options;
  const shape = output === undefined ? undefined : await outputShape(output);
  const takesImages = acceptsImages(client);
  const isAnswered = callbacks.onHandoff !== undefined;
  const ending = doneTool(shape);
  const choice = { excludeTools, isAnswered, takesImages, hasPoints, ending };
  return openToolbox(progress, { ...config, ...choice });
}

/** Rewrites the prefix `schema:` in error messages to the name of the option. */
async function outputShape(output: ExtractSchema): ReturnType<typeof extractionShape> {
  try {
    return await extractionShape(output);
  } catch (error) {
    if (!(error instanceof DriverInvalidArgumentError)) throw error;
    const reason = error.message.replace(/^schema: /, '');
    throw new DriverInvalidArgumentError(`output: ${reason}`, { argument: 'output', cause: error });
  }
}

/** An unknown model is assumed to accept images. */
function acceptsImages(client: ModelClient | undefined): boolean {
  return client?.takesImages !== false && client?.leavesOutImages !== true;
}

function unseen({ modelName }: ModelClient): string {
  return `${modelName} does not accept images, so mode "hybrid" sends only text, like mode "dom".`;
}
