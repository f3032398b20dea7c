import type { ModelUsage } from './model-client.ts';

/** What a call costs that asks nobody. */
export const NO_USAGE: ModelUsage = { promptTokens: 0, completionTokens: 0, reasoningTokens: 0, cachedInputTokens: 0 };

/** The cost of several calls together. */
export function sumUsage(...usages: readonly ModelUsage[]): ModelUsage {
  return usages.reduce(
    (sum, usage) => ({
      promptTokens: sum.promptTokens + usage.promptTokens,
      completionTokens: sum.completionTokens + usage.completionTokens,
      reasoningTokens: sum.reasoningTokens + usage.reasoningTokens,
      cachedInputTokens: sum.cachedInputTokens + usage.cachedInputTokens,
    }),
    NO_USAGE,
  );
}
