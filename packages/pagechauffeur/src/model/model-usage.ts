import type { ModelUsage } from './model-client.ts';

export const NO_USAGE: ModelUsage = { promptTokens: 0, completionTokens: 0, reasoningTokens: 0, cachedInputTokens: 0 };

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

export function usageSince(before: ModelUsage, now: ModelUsage): ModelUsage {
  return {
    promptTokens: now.promptTokens - before.promptTokens,
    completionTokens: now.completionTokens - before.completionTokens,
    reasoningTokens: now.reasoningTokens - before.reasoningTokens,
    cachedInputTokens: now.cachedInputTokens - before.cachedInputTokens,
  };
}
