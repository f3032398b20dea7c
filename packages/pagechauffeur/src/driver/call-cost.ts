import type { ModelUsage } from '../model/model-client.ts';
import { NO_USAGE, sumUsage } from '../model/model-usage.ts';
import type { InferenceRecord } from '../model/model-service.ts';

/** Adds up the model usage of one driver call and measures its time. */
export class CallCost {
  readonly #started = performance.now();
  #calls = 0;
  #usage = NO_USAGE;

  add({ usage }: InferenceRecord): void {
    this.#calls += 1;
    this.#usage = sumUsage(this.#usage, usage);
  }

  get calls(): number {
    return this.#calls;
  }

  get usage(): ModelUsage {
    return this.#usage;
  }

  facts(): Readonly<Record<string, number>> {
    const { promptTokens, completionTokens } = this.#usage;
    return {
      modelCalls: this.#calls,
      promptTokens,
      completionTokens,
      milliseconds: Math.round(performance.now() - this.#started),
    };
  }

  /** For example `1 call, 812+34 tokens, 412 ms`. Omits tokens if the model does not report them. */
  sentence(): string {
    const calls = this.#calls === 0 ? 'no model' : `${this.#calls} ${this.#calls === 1 ? 'call' : 'calls'}`;
    const { promptTokens, completionTokens } = this.#usage;
    const hasTokens = promptTokens + completionTokens > 0;
    const tokens = hasTokens ? [`${promptTokens}+${completionTokens} tokens`] : [];
    return [calls, ...tokens, `${Math.round(performance.now() - this.#started)} ms`].join(', ');
  }
}
