import { DriverError, LLMResponseError } from '../errors.ts';
import { describeValue } from '../util/check-argument.ts';
import { reasonOf } from '../util/error-facts.ts';
import { isRecord } from '../util/is-record.ts';
import type { ModelClient, ModelResponse, ModelUsage } from './model-client.ts';
import type { LLMClient } from './model-configuration.ts';
import { NO_USAGE } from './model-usage.ts';

/** Wraps a user's client: adds a name, and normalizes answers and errors. */
export function customClient(client: LLMClient): ModelClient {
  const { modelName = 'custom/client', readsTree, readsWholePages, takesImages, computer } = client;
  const flags = Object.entries({ readsTree, readsWholePages, takesImages, computer }).filter(
    ([, flag]) => flag !== undefined,
  );
  return {
    ...Object.fromEntries(flags),
    modelName,
    async generate(request) {
      try {
        return wholeResponse(await client.generate(request), modelName);
      } catch (error) {
        request.signal.throwIfAborted();
        if (error instanceof DriverError) throw error;
        throw new LLMResponseError(`${modelName}: the client failed: ${reasonOf(error)}`, { cause: error });
      }
    },
  };
}

/** Adds missing usage to an answer. Throws if it has neither data nor text. */
function wholeResponse(response: unknown, modelName: string): ModelResponse {
  if (!isRecord(response) || !('output' in response || 'text' in response)) {
    throw new LLMResponseError(
      `${modelName}: generate() must resolve to { output, usage }. Received ${describeValue(response)}.`,
    );
  }
  const { text } = response;
  const output = response['output'] ?? (typeof text === 'string' ? text : undefined);
  return { ...response, output, usage: wholeUsage(response['usage']) };
}

function wholeUsage(usage: unknown): ModelUsage {
  const counts = isRecord(usage) ? Object.entries(usage).filter(([, count]) => Number.isFinite(count)) : [];
  return { ...NO_USAGE, ...Object.fromEntries(counts) };
}
