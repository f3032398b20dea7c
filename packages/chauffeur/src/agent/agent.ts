import type { ModelUsage } from '../model/model-client.ts';
import type { ModelConfiguration } from '../model/model-configuration.ts';
import type { DriverContext } from '../page/context.ts';
import type { Page } from '../page/page.ts';
import { OFF_BY_DEFAULT, TOOLS } from '../tools/table.ts';
import { refXPaths } from '../verb/ref-xpaths.ts';
import { Progress } from '../util/progress.ts';
import { VariableTable, type Variables } from '../verb/variables.ts';
import type { VerbContext } from '../verb/verb-context.ts';
import type { AgentResult } from './agent-result.ts';
import { Run, type Task, TOOL_TIMEOUT_MS } from './run.ts';

/** How an agent works, whatever its task. */
export interface AgentConfig {
  /** The model that decides on each step. */
  model?: ModelConfiguration;
  /** Your own instructions to the model. */
  systemPrompt?: string;
}

/** A task and how it is to be carried out. */
export interface ExecuteOptions {
  /** What is to be done. */
  instruction: string;
  /** Steps at most; default 20. */
  maxSteps?: number;
  page?: Page;
  /** Values for `%name%` placeholders; the model sees the names only. */
  variables?: Variables;
  signal?: AbortSignal;
  /** Milliseconds that one tool may take; default 60,000. */
  toolTimeout?: number;
  /** Tools that the model is not given. */
  excludeTools?: readonly string[];
}

/** What an agent needs of its driver. */
export interface AgentHost {
  readonly browser: DriverContext;
  pageOf(given: Page | undefined): Promise<Page>;
  verbs(page: Page): VerbContext;
  usage(): ModelUsage;
}

const MAX_STEPS = 20;

/** Carries out tasks of several steps. */
export class Agent {
  readonly #host: AgentHost;
  readonly #config: AgentConfig;

  /** @internal */
  constructor(host: AgentHost, config: AgentConfig) {
    this.#host = host;
    this.#config = config;
  }

  /** Carries out a task and tells what came of it. */
  async execute(task: string | ExecuteOptions): Promise<AgentResult> {
    const options = typeof task === 'string' ? { instruction: task } : task;
    const { signal, maxSteps = MAX_STEPS, toolTimeout = TOOL_TIMEOUT_MS, excludeTools = [] } = options;
    const host = this.#host;
    const page = await host.pageOf(options.page);
    const verbs = host.verbs(page);
    using progress = new Progress({ operation: 'agent', timeout: 0, signals: [signal, verbs.signal] });
    const variables = new VariableTable(options.variables);
    variables.check(options.instruction, 'The instruction');
    const { model, systemPrompt = verbs.systemPrompt } = this.#config;
    const run: Task = {
      instruction: options.instruction,
      variables,
      tools: TOOLS.filter(({ name }) => !OFF_BY_DEFAULT.has(name) && !excludeTools.includes(name)),
      model,
      systemPrompt,
      maxSteps,
      toolTimeout,
      verbs: (other) => host.verbs(other),
      refusal: () => Promise.resolve(undefined),
      usage: () => host.usage(),
      toolContext: (parts) => ({
        ...parts,
        browser: host.browser,
        verbs: host.verbs(parts.page),
        variables,
        selectorOf: async ({ target }) => {
          const { frame, world, element } = target;
          if (!world || !('ref' in element)) return target.label;
          const place = { frame, world, ref: element.ref, role: '', name: '' };
          return `xpath=${(await refXPaths(parts.progress, [place])).get(place) ?? ''}`;
        },
        lastDownload: () => parts.page.waitForEvent('download'),
        answerDialogs: () => undefined,
        ask: undefined,
      }),
    };
    const withTree = await verbs.desk.readsTree(progress, model);
    return await new Run(progress, run, { page, withTree }).carryOut();
  }
}
