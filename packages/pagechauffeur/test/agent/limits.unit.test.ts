import { describe, expect, it } from 'vitest';
import { costOf, priceOf, PRICES_AS_OF } from '../../src/agent/prices.ts';
import { BudgetTracker } from '../../src/agent/budget-tracker.ts';
import type { ModelUsage } from '../../src/index.ts';
import { PROVIDERS } from '../../src/model/providers.ts';
import type { InferenceRecord } from '../../src/model/model-service.ts';

function usage(parts: Partial<ModelUsage>): ModelUsage {
  return { promptTokens: 0, completionTokens: 0, reasoningTokens: 0, cachedInputTokens: 0, ...parts };
}

function answer(modelName: string, parts: Partial<ModelUsage>): InferenceRecord {
  return { modelName, usage: usage(parts) } as InferenceRecord;
}

describe('model prices', () => {
  it('knows the price of the default model of each provider', () => {
    const names = Object.entries(PROVIDERS).flatMap(([name, { defaultModel }]) =>
      defaultModel ? [`${name}/${defaultModel}`] : [],
    );
    expect(names).toHaveLength(3);
    expect(names.map((name) => priceOf(name)?.output)).toEqual(names.map(() => expect.any(Number)));
    expect(PRICES_AS_OF).toMatch(/^2026-\d\d-\d\d$/);
  });

  it.each([
    ['openai/gpt-6-luna', { promptTokens: 100_000, completionTokens: 10_000 }, 0.015],
    ['openai/gpt-6-luna', { promptTokens: 100_000, cachedInputTokens: 60_000, completionTokens: 0 }, 0.0046],
    ['openai/gpt-6-luna', { promptTokens: 300_000, completionTokens: 1000 }, 0.06075],
    [
      'anthropic/claude-haiku-5-5',
      { promptTokens: 200_000, cachedInputTokens: 100_000, completionTokens: 1000 },
      0.0575,
    ],
    ['anthropic/claude-opus-5-5-20260922', { promptTokens: 1000, completionTokens: 1000 }, 0.024],
    ['google/gemini-3.8-flash', { promptTokens: 1_000_000, completionTokens: 0 }, 0.75],
    ['offline/lexical', { promptTokens: 1_000_000, completionTokens: 1_000_000 }, 0],
  ])('prices %s with %o at %d USD', (modelName, parts, usd) => {
    const price = priceOf(modelName);
    expect(price && costOf(usage(parts), price)).toBeCloseTo(usd, 10);
  });

  it('throws for an unknown price unless `budget.price` or `budget.tokens` is set', () => {
    const budgetTracker = new BudgetTracker({ budget: { usd: 1 }, maxSteps: 20 });
    expect(() => budgetTracker.checkPrice('acme/unheard-of')).toThrow(
      /^Cannot apply budget\.usd: the price of acme\/unheard-of is unknown\. Set budget\.price, or use budget\.tokens/,
    );
    const own = new BudgetTracker({ budget: { usd: 1, price: { input: 1, output: 1 } }, maxSteps: 20 });
    expect(() => own.checkPrice('acme/unheard-of')).not.toThrow();
    const tokens = new BudgetTracker({ budget: { tokens: 1 }, maxSteps: 20 });
    expect(() => tokens.checkPrice('acme/unheard-of')).not.toThrow();
  });
});

describe('BudgetTracker', () => {
  it('is exhausted when one of its limits is reached', () => {
    const budgetTracker = new BudgetTracker({ budget: { tokens: 100, usd: 1 }, maxSteps: 20 });
    budgetTracker.add(answer('openai/gpt-6-luna', { promptTokens: 60, completionTokens: 30 }));
    expect(budgetTracker.exhausted).toBeUndefined();
    budgetTracker.add(answer('openai/gpt-6-luna', { promptTokens: 9, completionTokens: 1 }));
    expect(budgetTracker.exhausted).toBe('its budget of 100 tokens was spent');
    expect(budgetTracker.usage).toEqual(usage({ promptTokens: 69, completionTokens: 31 }));
  });

  it('computes dollars from `budget.price`', () => {
    const budgetTracker = new BudgetTracker({ budget: { usd: 0.5, price: { input: 1, output: 4 } }, maxSteps: 20 });
    budgetTracker.add(answer('acme/unheard-of', { promptTokens: 100_000, completionTokens: 99_999 }));
    expect(budgetTracker.exhausted).toBeUndefined();
    budgetTracker.add(answer('acme/unheard-of', { completionTokens: 1 }));
    expect(budgetTracker.exhausted).toBe('its budget of 0.5 USD was spent');
  });

  it('warns once when most of the budget is spent, and in each of the last two steps', () => {
    const budgetTracker = new BudgetTracker({ budget: { tokens: 1000 }, maxSteps: 8 });
    const warnings = [1, 2, 3, 4, 5, 6, 7, 8].map((step) => {
      budgetTracker.add(answer('acme/unheard-of', { promptTokens: 95 }));
      return budgetTracker.warning(step);
    });
    expect(warnings).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
      undefined,
      undefined,
      '2 steps are left, including this one. Finish with what matters most.',
      expect.stringContaining('This is the last step: call done now'),
    ]);
    budgetTracker.add(answer('acme/unheard-of', { promptTokens: 0 }));
    expect(budgetTracker.warning(3)).toBe('Most of the budget of 1000 tokens is spent. Finish with what matters most.');
    expect(budgetTracker.warning(3)).toBeUndefined();
  });
});
