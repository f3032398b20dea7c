import type { ExtractSchema, InferSchema } from '../extract/schema.ts';
import { ignoreRejection } from '../util/deferred.ts';
import type { AgentPart } from './agent-callbacks.ts';
import type { AgentConfig, ExecuteOptions } from './agent-options.ts';
import type { AgentResult } from './agent-result.ts';
import { type AgentHost, executeTask } from './execute-task.ts';
import { PartStream } from './part-stream.ts';

/** A run that can be read while it continues. */
export interface AgentRun<Output = unknown> {
  /** Text of the model as it streams. An answer that breaks off is requested again, and its text is repeated from the start. */
  readonly textStream: AsyncIterable<string>;
  /** All events, from the first step to the result. May be read several times, each time from the start. */
  readonly fullStream: AsyncIterable<AgentPart>;
  /** Result of the run. If it rejects, the streams throw the same error. */
  readonly result: Promise<AgentResult<Output>>;
}

/**
 * Runs tasks of several steps and streams their events.
 *
 * @example
 * const run = driver.agent({ stream: true }).execute('Put the blue mug into the cart');
 * for await (const text of run.textStream) process.stdout.write(text);
 * const { success } = await run.result;
 */
export class StreamingAgent {
  readonly #host: AgentHost;
  readonly #config: AgentConfig;

  /** @internal */
  constructor(host: AgentHost, config: AgentConfig) {
    this.#host = host;
    this.#config = config;
  }

  /** Starts a task. The run continues without being read. */
  execute<const Schema extends ExtractSchema = never>(
    task: string | ExecuteOptions<Schema>,
  ): AgentRun<InferSchema<Schema>> {
    const parts = new PartStream();
    const result = executeTask({ host: this.#host, config: this.#config, task, onPart: (part) => parts.add(part) });
    result
      .then(
        () => parts.end(),
        (error: unknown) => parts.fail(error),
      )
      .catch(ignoreRejection);
    return {
      textStream: parts.texts(),
      fullStream: parts.all(),
      // `output` was created by the user's own schema.
      result: result as Promise<AgentResult<InferSchema<Schema>>>,
    };
  }
}
