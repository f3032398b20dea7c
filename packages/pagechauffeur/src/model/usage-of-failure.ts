import type * as AiSdkModule from 'ai';
import { isRecord } from './json-schema.ts';
import type { ModelUsage } from './model-client.ts';
import { bodyText } from './retry-delay.ts';

type Fields = Readonly<Record<string, unknown>>;

/** Usage of a failed call, if the provider reported it with the error. */
export function usageOfFailure(failure: unknown, ai: typeof AiSdkModule): ModelUsage | undefined {
  const body = bodyOf(failure, ai);
  const whole = isRecord(body) && isRecord(body['response']) ? body['response'] : body;
  if (!isRecord(whole)) return undefined;
  const usage = whole['usage'] ?? whole['usageMetadata'];
  return isRecord(usage) ? readUsage(usage) : undefined;
}

function bodyOf(failure: unknown, ai: typeof AiSdkModule): unknown {
  if (ai.InvalidResponseDataError.isInstance(failure)) return failure.data;
  if (!ai.APICallError.isInstance(failure)) return undefined;
  try {
    return JSON.parse(bodyText(failure.responseBody) || 'null');
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** Reads the usage fields of OpenAI's two protocols, of Anthropic, which counts cached tokens separately, and of Google. */
function readUsage(usage: Fields): ModelUsage {
  const input = inner(usage, 'input_tokens_details', 'prompt_tokens_details');
  const output = inner(usage, 'output_tokens_details', 'completion_tokens_details');
  const apart = count(usage, 'cache_read_input_tokens') + count(usage, 'cache_creation_input_tokens');
  const thoughts = count(usage, 'thoughtsTokenCount');
  return {
    promptTokens: count(usage, 'input_tokens', 'prompt_tokens', 'promptTokenCount') + apart,
    completionTokens: count(usage, 'output_tokens', 'completion_tokens', 'candidatesTokenCount') + thoughts,
    reasoningTokens: count(output, 'reasoning_tokens', 'thinking_tokens') + thoughts,
    cachedInputTokens:
      count(input, 'cached_tokens') + count(usage, 'cache_read_input_tokens', 'cachedContentTokenCount'),
  };
}

function inner(usage: Fields, ...names: readonly string[]): Fields {
  return names.map((name) => usage[name]).find(isRecord) ?? {};
}

function count(fields: Fields, ...names: readonly string[]): number {
  return names.map((name) => fields[name]).find((value) => typeof value === 'number') ?? 0;
}
