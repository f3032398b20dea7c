import type { ExtractSchema, InferSchema } from '../extract/schema.ts';
import { type Deferred, deferred, ignoreRejection } from '../util/deferred.ts';
import type { AgentPart } from './agent-callbacks.ts';
import type { AgentConfig, ExecuteOptions } from './agent-options.ts';
import type { AgentResult } from './agent-result.ts';
import { type AgentHost, executeTask } from './execute-task.ts';

/** A run whose events can be read while it continues. */
export interface AgentRun<Output = unknown> {
  /**
   * The model's text as it streams. A response that breaks off is requested again, and its text is repeated from the
   * start.
   */
  readonly textStream: AsyncIterable<string>;
  /** All events, from the first step to the result. Can be read several times, each time from the start. */
  readonly fullStream: AsyncIterable<AgentPart>;
  /** The result of the run. If it rejects, the streams throw the same error. */
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
      // The user's own schema validated `output`.
      result: result as Promise<AgentResult<InferSchema<Schema>>>,
    };
  }
}

type StreamState =
  | { readonly kind: 'open' }
  | { readonly kind: 'ended' }
  | { readonly kind: 'failed'; readonly error: unknown };

/** Buffers the events of a run, so that readers can start early or late. */
export class PartStream {
  readonly #parts: AgentPart[] = [];
  #state: StreamState = { kind: 'open' };
  #news: Deferred<void> = deferred();

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

  /** All events, from the first one. Throws the error of the run. */
  all(): AsyncIterable<AgentPart> {
    return { [Symbol.asyncIterator]: () => this.#read() };
  }

  /** Only the text of the model. */
  texts(): AsyncIterable<string> {
    return { [Symbol.asyncIterator]: () => this.#readTexts() };
  }

  async *#read(): AsyncGenerator<AgentPart> {
    for (let index = 0; ; index += 1) {
      while (index >= this.#parts.length && this.#state.kind === 'open') await this.#news.promise;
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
    this.#news.resolve();
    this.#news = deferred();
  }
}
