import type { ExtractSchema, InferSchema } from '../extract/schema.ts';
import type { AgentConfig, ExecuteOptions } from './agent-options.ts';
import type { AgentResult } from './agent-result.ts';
import { type AgentHost, executeTask } from './execute-task.ts';

/**
 * Carries out tasks of several steps.
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

  /** Carries out a task and tells what came of it; a limit that ends it is told by `completed: false`, not by an error. */
  async execute<const Schema extends ExtractSchema = never>(
    task: string | ExecuteOptions<Schema>,
  ): Promise<AgentResult<InferSchema<Schema>>> {
    const result = await executeTask({ host: this.#host, config: this.#config, task });
    // What stands in `output` is what the user's own schema made.
    return result as AgentResult<InferSchema<Schema>>;
  }
}
