import type { ExtractSchema, InferSchema } from '../extract/schema.ts';
import { type Deferred, deferred, ignoreRejection } from '../util/deferred.ts';
import type { AgentPart } from './agent-callbacks.ts';
import type { AgentConfig, ExecuteOptions } from './agent-options.ts';
import type { AgentResult } from './agent-result.ts';
import { type AgentHost, executeTask } from './execute-task.ts';

/** A run in progress. Its events can be read while it continues. */
export interface AgentRun<Output = unknown> {
  /** The model's text as it is generated. If a response is interrupted and requested again, its text starts over. */
  readonly textStream: AsyncIterable<string>;
  /** All events of the run. Each iteration starts with the first event. */
  readonly fullStream: AsyncIterable<AgentPart>;
  /** Result of the run. If it rejects, both streams throw the same error. */
  readonly result: Promise<AgentResult<Output>>;
}

/**
 * Runs tasks that take several steps, and streams their events.
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

  /**
   * Starts a task and returns immediately. The run continues even if no one reads its streams. Does not throw: `result`
   * rejects with the errors of `Agent.execute`, and the streams throw the same error.
   * @example
   * const run = driver.agent({ stream: true }).execute('Put the blue mug into the cart');
   * for await (const part of run.fullStream) if (part.type === 'tool-call') console.log(part.tool, part.input);
   * console.log((await run.result).message);
   */
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
      // `executeTask` resolves only after the caller's schema has validated `output`.
      result: result as Promise<AgentResult<InferSchema<Schema>>>,
    };
  }
}

type StreamState =
  | { readonly kind: 'open' }
  | { readonly kind: 'ended' }
  | { readonly kind: 'failed'; readonly error: unknown };

/** Keeps all events of a run, so that it can be read at any time and several times. */
export class PartStream {
  readonly #parts: AgentPart[] = [];
  #state: StreamState = { kind: 'open' };
  #updated: Deferred<void> = deferred();

  add(part: AgentPart): void {
    this.#parts.push(part);
    this.#emitNew();
  }

  end(): void {
    this.#state = { kind: 'ended' };
    this.#emitNew();
  }

  fail(error: unknown): void {
    this.#state = { kind: 'failed', error };
    this.#emitNew();
  }

  all(): AsyncIterable<AgentPart> {
    return { [Symbol.asyncIterator]: () => this.#read() };
  }

  texts(): AsyncIterable<string> {
    return { [Symbol.asyncIterator]: () => this.#readTexts() };
  }

  async *#read(): AsyncGenerator<AgentPart> {
    for (let index = 0; ; index += 1) {
      while (index >= this.#parts.length && this.#state.kind === 'open') await this.#updated.promise;
      const part = this.#parts[index];
      if (part) yield part;
      else if (this.#state.kind === 'failed') throw this.#state.error;
      else return;
    }
  }

  async *#readTexts(): AsyncGenerator<string> {
    for await (const part of this.#read()) if (part.type === 'text') yield part.text;
  }

  #emitNew(): void {
    this.#updated.resolve();
    this.#updated = deferred();
  }
}
