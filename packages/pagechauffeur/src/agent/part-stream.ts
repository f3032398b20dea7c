import { type Deferred, deferred } from '../util/deferred.ts';
import type { AgentPart } from './agent-callbacks.ts';

type State =
  | { readonly kind: 'open' }
  | { readonly kind: 'ended' }
  | { readonly kind: 'failed'; readonly error: unknown };

/** Buffers the events of a run for readers that start early or late. */
export class PartStream {
  readonly #parts: AgentPart[] = [];
  #state: State = { kind: 'open' };
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

  /** Every event from the first. Throws the error of the run. */
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
