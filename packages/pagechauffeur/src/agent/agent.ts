import type { ExtractSchema, InferSchema } from '../extract/schema.ts';
import type { AgentConfig, ExecuteOptions } from './agent-options.ts';
import type { AgentResult } from './agent-result.ts';
import { type AgentHost, executeTask } from './execute-task.ts';

/**
 * Runs tasks of several steps.
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

  /** Runs a task and returns its result. A run that reaches a limit returns `completed: false` and does not throw. */
  async execute<const Schema extends ExtractSchema = never>(
    task: string | ExecuteOptions<Schema>,
  ): Promise<AgentResult<InferSchema<Schema>>> {
    const result = await executeTask({ host: this.#host, config: this.#config, task });
    // `output` was created by the user's own schema.
    return result as AgentResult<InferSchema<Schema>>;
  }
}
