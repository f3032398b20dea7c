import type { ModelUsage } from '../model/model-client.ts';
import { NO_USAGE, sumUsage } from '../model/model-usage.ts';
import type { InferenceRecord } from '../verb/model-desk.ts';

/** What one call has cost so far: its time, and what it asked models. */
export class CallCost {
  readonly #started = performance.now();
  #calls = 0;
  #usage = NO_USAGE;

  /** Counts one answer. */
  add({ usage }: InferenceRecord): void {
    this.#calls += 1;
    this.#usage = sumUsage(this.#usage, usage);
  }

  /** Answers of models so far. */
  get calls(): number {
    return this.#calls;
  }

  /** Tokens so far. */
  get usage(): ModelUsage {
    return this.#usage;
  }

  /** The sums, for programs that read the log. */
  facts(): Readonly<Record<string, number>> {
    const { promptTokens, completionTokens } = this.#usage;
    return {
      modelCalls: this.#calls,
      promptTokens,
      completionTokens,
      milliseconds: Math.round(performance.now() - this.#started),
    };
  }

  /** The sums, for people: `1 call, 812+34 tokens, 412 ms`; a model that counts no tokens has none. */
  sentence(): string {
    const calls = this.#calls === 0 ? 'no model' : `${this.#calls} ${this.#calls === 1 ? 'call' : 'calls'}`;
    const { promptTokens, completionTokens } = this.#usage;
    const hasTokens = promptTokens + completionTokens > 0;
    const tokens = hasTokens ? [`${promptTokens}+${completionTokens} tokens`] : [];
    return [calls, ...tokens, `${Math.round(performance.now() - this.#started)} ms`].join(', ');
  }
}
