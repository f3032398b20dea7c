import {
  DriverInvalidArgumentError,
  InvalidSdkModelFormatError,
  MissingLLMConfigurationError,
  UnsupportedModelError,
} from '../errors.ts';
import type { ModelClient } from './model-client.ts';
import type { LanguageModelObject, LLMClient, ModelConfiguration, ModelOptions } from './model-configuration.ts';
import { customClient } from './custom-client.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The client for a model configuration. Without one, uses the default model of the first provider with a key in the environment. Loads
 * packages on first use.
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
        `got ${typeof model}.`,
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

/** Splits at the first slash. The rest may contain slashes, as in `ollama/hf.co/some/model`. */
function parseModelName(model: string): { provider: string; name: string } {
  const [, provider, name] = /^([^/\s]+)\/(\S+)$/.exec(model) ?? [];
  if (provider === undefined || name === undefined) {
    throw new InvalidSdkModelFormatError(
      `The model "${model}" is not of the form "provider/model", for example "openai/gpt-6-luna".`,
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
    `No model is configured. Set one of ${variables}, or give the model option, such as "openai/gpt-6-luna" with a ` +
      'key, or "offline/lexical", which is built in and needs neither key nor network.',
  );
}
