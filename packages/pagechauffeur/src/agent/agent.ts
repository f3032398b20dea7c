import type { ExtractSchema, InferSchema } from '../extract/schema.ts';
import type { AgentConfig, ExecuteOptions } from './agent-options.ts';
import type { AgentResult } from './agent-result.ts';
import { type AgentHost, executeTask } from './execute-task.ts';

/**
 * Runs tasks that take several steps.
 *
 * @example
 * const agent = driver.agent();
 * const { success, message } = await agent.execute('Put the blue mug into the cart and tell what it costs');
 */
export class Agent {
  readonly #host: AgentHost;
  readonly #config: AgentConfig;

  /** @internal */
  constructor(host: AgentHost, config: AgentConfig) {
    this.#host = host;
    this.#config = config;
  }

  /**
   * Runs a task and returns its result. A run that reaches a limit, such as `maxSteps` (default 20) or `budget`,
   * returns `completed: false` and does not throw. There is no time limit by default; `budget.ms` sets one in
   * milliseconds.
   * @throws AgentAbortError when a `signal` is aborted; `cause` is its reason.
   * @throws DriverInvalidArgumentError when an option is invalid, or a placeholder has no variable. The agent has not
   * done anything in that case.
   * @throws MissingLLMConfigurationError when no model is configured, or its key is missing.
   * @throws InvalidSdkModelFormatError when a model is not `provider/model`.
   * @throws UnsupportedModelError when the provider is unknown or not installed, or the model does not support the
   * `mode`.
   * @throws LLMResponseError when the model fails, or its responses are invalid.
   * @throws McpConnectionError when a server in `integrations` cannot be reached.
   * @throws DriverPageNotFoundError when no page is open.
   * @throws DriverClosedError when the browser is closed or lost.
   * @throws DriverNotInitializedError when the driver was closed.
   * @example
   * const result = await agent.execute({
   *   instruction: 'Read the three latest orders',
   *   output: z.array(z.object({ number: z.string(), total: z.number() })),
   *   budget: { ms: 120_000 },
   * });
   * if (result.completed) console.log(result.output);
   */
  async execute<const Schema extends ExtractSchema = never>(
    task: string | ExecuteOptions<Schema>,
  ): Promise<AgentResult<InferSchema<Schema>>> {
    const result = await executeTask({ host: this.#host, config: this.#config, task });
    // `executeTask` returned `output` only after the caller's schema had validated it.
    return result as AgentResult<InferSchema<Schema>>;
  }
}
