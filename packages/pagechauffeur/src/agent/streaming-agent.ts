import type { ExtractSchema, InferSchema } from '../extract/schema.ts';
import { ignoreRejection } from '../util/deferred.ts';
import type { AgentPart } from './agent-callbacks.ts';
import type { AgentConfig, ExecuteOptions } from './agent-options.ts';
import type { AgentResult } from './agent-result.ts';
import { type AgentHost, executeTask } from './execute-task.ts';
import { PartStream } from './part-stream.ts';

/** A run that goes on while it is read. */
export interface AgentRun<Output = unknown> {
  /** What the model says, as it is written; an answer that breaks off is asked for anew, and comes again from its beginning. */
  readonly textStream: AsyncIterable<string>;
  /** Everything that happens, from the first step to the result; it may be read more than once, from its beginning each time. */
  readonly fullStream: AsyncIterable<AgentPart>;
  /** What came of it; the streams throw what it rejects with. */
  readonly result: Promise<AgentResult<Output>>;
}

/**
 * Carries out tasks of several steps that can be read as they go on.
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

  /** Begins to carry out a task; nothing has to be read for it to go on. */
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
      // What stands in `output` is what the user's own schema made.
      result: result as Promise<AgentResult<InferSchema<Schema>>>,
    };
  }
}
