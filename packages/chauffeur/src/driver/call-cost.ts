import type { InferenceRecord } from '../verb/model-desk.ts';

/** What one call has cost so far: its time, and what it asked models. */
export class CallCost {
  readonly #started = performance.now();
  #calls = 0;
  #promptTokens = 0;
  #completionTokens = 0;

  /** Counts one answer. */
  add({ usage }: InferenceRecord): void {
    this.#calls += 1;
    this.#promptTokens += usage.promptTokens;
    this.#completionTokens += usage.completionTokens;
  }

  /** The sums, for programs that read the log. */
  facts(): Readonly<Record<string, number>> {
    return {
      modelCalls: this.#calls,
      promptTokens: this.#promptTokens,
      completionTokens: this.#completionTokens,
      milliseconds: Math.round(performance.now() - this.#started),
    };
  }

  /** The sums, for people: `1 call, 812+34 tokens, 412 ms`; a model that counts no tokens has none. */
  sentence(): string {
    const calls = this.#calls === 0 ? 'no model' : `${this.#calls} ${this.#calls === 1 ? 'call' : 'calls'}`;
    const hasTokens = this.#promptTokens + this.#completionTokens > 0;
    const tokens = hasTokens ? [`${this.#promptTokens}+${this.#completionTokens} tokens`] : [];
    return [calls, ...tokens, `${Math.round(performance.now() - this.#started)} ms`].join(', ');
  }
}
