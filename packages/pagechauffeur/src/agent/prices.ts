import type { ModelUsage } from '../model/model-client.ts';

/** Price of a model in US dollars per million tokens. */
export interface ModelPrice {
  input: number;
  /** Price of cached input tokens. Default: `input`. */
  cachedInput?: number;
  /** Price of output tokens, including reasoning. */
  output: number;
}

/** The standard price, and the higher price for prompts of more than `above` tokens. */
interface ListPrice extends ModelPrice {
  readonly long?: ModelPrice & { readonly above: number };
}

/** Date of the last comparison with the price pages. */
export const PRICES_AS_OF = '2026-11-21';

/**
 * Standard prices by `provider/model`, from developers.openai.com/api/docs/pricing, platform.claude.com/docs (models
 * and pricing) and ai.google.dev/gemini-api/docs/pricing. Prices of Gemini 3.6 to 3.8 Flash double in 2027. The extra
 * cost of cache writes is not included, because `ModelUsage` does not count their tokens.
 */
const PRICES: Readonly<Record<string, ListPrice>> = {
  'anthropic/claude-fable-5-1': { input: 10, cachedInput: 0.25, output: 50 },
  'anthropic/claude-haiku-4-5': { input: 1, cachedInput: 0.1, output: 5 },
  'anthropic/claude-haiku-5-5': {
    input: 0.1,
    cachedInput: 0.01,
    output: 0.5,
    long: { above: 100_000, input: 0.5, cachedInput: 0.05, output: 2.5 },
  },
  'anthropic/claude-opus-5': { input: 5, cachedInput: 0.5, output: 25 },
  'anthropic/claude-opus-5-5': { input: 4, cachedInput: 0.2, output: 20 },
  'anthropic/claude-sonnet-5': { input: 2, cachedInput: 0.2, output: 10 },
  'anthropic/claude-sonnet-5-5': { input: 2, cachedInput: 0.1, output: 10 },
  'google/gemini-3.5-flash': { input: 1.5, cachedInput: 0.15, output: 9 },
  'google/gemini-3.5-flash-lite': { input: 0.3, cachedInput: 0.03, output: 2.5 },
  'google/gemini-3.6-flash': { input: 0.75, cachedInput: 0.075, output: 3.75 },
  'google/gemini-3.7-flash': { input: 0.75, cachedInput: 0.075, output: 3.75 },
  'google/gemini-3.8-flash': { input: 0.75, cachedInput: 0.075, output: 3.75 },
  'offline/lexical': { input: 0, output: 0 },
  'openai/gpt-5.6-luna': longer({ input: 0.2, cachedInput: 0.02, output: 1.2 }),
  'openai/gpt-5.6-terra': longer({ input: 2, cachedInput: 0.2, output: 12 }),
  'openai/gpt-6-astra': longer({ input: 10, cachedInput: 1, output: 50 }),
  'openai/gpt-6-luna': longer({ input: 0.1, cachedInput: 0.01, output: 0.5 }),
  'openai/gpt-6-sol': longer({ input: 2, cachedInput: 0.2, output: 10 }),
};

/** For prompts of more than 272,000 tokens, OpenAI charges 2 times the input price and 1.5 times the output price. */
function longer({ input, cachedInput, output }: Required<ModelPrice>): ListPrice {
  const long = { above: 272_000, input: input * 2, cachedInput: cachedInput * 2, output: output * 1.5 };
  return { input, cachedInput, output, long };
}

/** Looks up a model. Ignores a date or `-latest` at the end of its name. */
export function priceOf(modelName: string): ListPrice | undefined {
  return PRICES[modelName] ?? PRICES[modelName.replace(/-(?:latest|\d{4}-?\d{2}-?\d{2})$/, '')];
}

export function pricedModels(): readonly string[] {
  return Object.keys(PRICES);
}

export function costOf({ promptTokens, cachedInputTokens, completionTokens }: ModelUsage, price: ListPrice): number {
  const { long } = price;
  const { input, cachedInput = input, output } = long && promptTokens > long.above ? long : price;
  const fresh = Math.max(0, promptTokens - cachedInputTokens);
  return (fresh * input + cachedInputTokens * cachedInput + completionTokens * output) / 1_000_000;
}
