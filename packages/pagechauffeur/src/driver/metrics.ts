import type { ModelUsage, ModelVerb } from '../model/model-client.ts';

type Group = ModelVerb | 'total';
type Measure = 'PromptTokens' | 'CompletionTokens' | 'ReasoningTokens' | 'CachedInputTokens' | 'InferenceTimeMs';

/** Model usage by verb and in total, for example `actPromptTokens` and `totalInferenceTimeMs`. Times are in ms. */
export type Metrics = { [Name in `${Group}${Measure}`]: number };

const GROUPS: readonly Group[] = ['act', 'extract', 'observe', 'agent', 'total'];
const MEASURES: readonly Measure[] = [
  'PromptTokens',
  'CompletionTokens',
  'ReasoningTokens',
  'CachedInputTokens',
  'InferenceTimeMs',
];

export class UsageMeter {
  readonly #metrics: Metrics = zeroMetrics();

  add(verb: ModelVerb, usage: ModelUsage, milliseconds: number): void {
    for (const group of [verb, 'total'] as const) {
      this.#metrics[`${group}PromptTokens`] += usage.promptTokens;
      this.#metrics[`${group}CompletionTokens`] += usage.completionTokens;
      this.#metrics[`${group}ReasoningTokens`] += usage.reasoningTokens;
      this.#metrics[`${group}CachedInputTokens`] += usage.cachedInputTokens;
      this.#metrics[`${group}InferenceTimeMs`] += milliseconds;
    }
  }

  read(): Metrics {
    return { ...this.#metrics };
  }
}

function zeroMetrics(): Metrics {
  const names = GROUPS.flatMap((group) => MEASURES.map((measure) => `${group}${measure}` as const));
  return Object.fromEntries(names.map((name) => [name, 0])) as Metrics;
}
