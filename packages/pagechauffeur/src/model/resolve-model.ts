import {
  DriverError,
  DriverInvalidArgumentError,
  InvalidSdkModelFormatError,
  LLMResponseError,
  MissingLLMConfigurationError,
  UnsupportedModelError,
} from '../errors.ts';
import type { ModelClient, ModelResponse, ModelUsage } from './model-client.ts';
import type { LanguageModelObject, LLMClient, ModelConfiguration, ModelOptions } from './model-configuration.ts';
import { describeValue } from '../util/check-argument.ts';
import { reasonOf } from '../util/error-facts.ts';
import { isRecord } from '../util/is-record.ts';
import { NO_USAGE } from './model-usage.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Returns the client for a model. Without a configuration, uses the default model of the first provider with an API key
 * in the environment. Imports packages on first use.
 */
export async function resolveModel(
  configuration: ModelConfiguration | undefined,
  environment: Environment = process.env,
): Promise<ModelClient> {
  if (configuration === undefined) return clientByName({ modelName: await defaultModelName(environment) }, environment);
  if (typeof configuration === 'string') return clientByName({ modelName: configuration }, environment);
  if (isModelClient(configuration)) return customClient(configuration);
  if (isModelOptions(configuration)) return clientByName(configuration, environment);
  return clientOfObject(configuration);
}

/** Wraps a custom client: adds a default name and default usage, and converts errors. */
function customClient(client: LLMClient): ModelClient {
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

/** Adds missing usage. Throws if the response has neither `output` nor `text`. */
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

function isModelClient(value: object): value is LLMClient {
  return 'generate' in value && typeof value.generate === 'function';
}

function isModelOptions(value: object): value is ModelOptions {
  return 'modelName' in value && typeof value.modelName === 'string' && !('doGenerate' in value);
}

async function clientOfObject(model: LanguageModelObject): Promise<ModelClient> {
  const { isLanguageModel } = await import('./providers.ts');
  if (!isLanguageModel(model)) {
    throw new DriverInvalidArgumentError(
      'model: expected "provider/model", { modelName, … }, an AI SDK model object or a client with generate(), ' +
        `received ${typeof model}.`,
      { argument: 'model' },
    );
  }
  const { AiSdkClient } = await import('./ai-sdk-client.ts');
  return new AiSdkClient({ modelName: `${model.provider.replace(/\..*/, '')}/${model.modelId}`, model });
}

async function clientByName(options: ModelOptions, environment: Environment): Promise<ModelClient> {
  const { provider, name } = parseModelName(options.modelName);
  if (provider === 'offline') return offlineClient(options.modelName, name);
  const { createProviderClient } = await import('./provider-client.ts');
  return createProviderClient({ provider, name, options, environment });
}

/** Splits at the first slash, because model names may contain slashes: `ollama/hf.co/some/model`. */
function parseModelName(model: string): { provider: string; name: string } {
  const [, provider, name] = /^([^/\s]+)\/(\S+)$/.exec(model) ?? [];
  if (provider === undefined || name === undefined) {
    throw new InvalidSdkModelFormatError(
      `The model "${model}" must have the form "provider/model", for example "openai/gpt-6-luna".`,
      { model },
    );
  }
  return { provider, name };
}

async function offlineClient(model: string, name: string): Promise<ModelClient> {
  if (name !== 'lexical') {
    throw new UnsupportedModelError(`${model}: the only built-in model is offline/lexical.`, { model });
  }
  const { LexicalModel } = await import('../offline/lexical-model.ts');
  return new LexicalModel();
}

async function defaultModelName(environment: Environment): Promise<string> {
  const { PROVIDERS } = await import('./providers.ts');
  const withDefault = Object.entries(PROVIDERS).filter(([, { defaultModel }]) => defaultModel !== undefined);
  for (const [provider, { keyVariables, defaultModel }] of withDefault) {
    if (keyVariables.some((variable) => environment[variable])) return `${provider}/${defaultModel}`;
  }
  const variables = withDefault.flatMap(([, { keyVariables }]) => keyVariables.slice(0, 1)).join(', ');
  throw new MissingLLMConfigurationError(
    `No model is configured. Set one of ${variables}, or pass the option model, such as "openai/gpt-6-luna" with a ` +
      'key, or "offline/lexical", which is built in and needs neither key nor network.',
  );
}
