import { DriverError, DriverInvalidArgumentError, MissingLLMConfigurationError } from '../errors.ts';
import { AiSdkClient, type AiSdkClientOptions } from './ai-sdk-client.ts';
import type { ModelCallSettings, ModelOptions } from './model-configuration.ts';
import { findProvider, type Provider, type ProviderSettings } from './providers.ts';
import { reasonOf } from '../util/error-facts.ts';
import { checkFlag } from '../util/check-argument.ts';
import { isRecord } from '../util/is-record.ts';

interface ProviderModel {
  readonly provider: string;
  readonly name: string;
  readonly options: ModelOptions;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** Takes the API key and the base URL from the options, else from the environment. */
export async function createProviderClient({
  provider: providerName,
  name,
  options,
  environment,
}: ProviderModel): Promise<AiSdkClient> {
  const provider = findProvider(providerName, options.modelName);
  const { callSettings, factorySettings } = splitOptions(options);
  const { takesImages } = options;
  checkFlag('model.takesImages', takesImages);
  const baseURL = options.baseURL ?? fromEnvironment([provider.baseURLVariable ?? ''], environment);
  if (baseURL !== undefined) refuseBadURL(baseURL, options.modelName);
  const apiKey = options.apiKey ?? fromEnvironment(provider.keyVariables, environment);
  // Custom servers usually need no key. One that does rejects the request.
  if (apiKey === undefined && baseURL === undefined && needsKey(provider, factorySettings))
    throw missingKey(provider, options.modelName);

  const settings = withoutUndefined({ ...factorySettings, baseURL, apiKey });
  const model = await createModel(() => provider.createModel(name, settings), options.modelName);
  return new AiSdkClient({
    modelName: options.modelName,
    model,
    ...computerModel({ provider, name, settings }, options.modelName),
    callSettings,
    takesImages,
    keyVariables: provider.keyVariables,
    secrets: secretsIn(settings),
  });
}

interface NamedModel {
  readonly provider: Provider;
  readonly name: string;
  readonly settings: ProviderSettings;
}

/** Returns a factory for the same model with another API, if the provider's computer use requires one. */
function computerModel(
  { provider, name, settings }: NamedModel,
  modelName: string,
): Pick<AiSdkClientOptions, 'createProvided'> {
  const made = provider.createComputerModel?.bind(provider);
  return made ? { createProvided: () => createModel(() => made(name, settings), modelName) } : {};
}

const CALL_SETTINGS: ReadonlySet<string> = new Set<keyof ModelCallSettings>([
  'temperature',
  'topP',
  'topK',
  'seed',
  'maxOutputTokens',
  'reasoning',
  'maxRetries',
  'providerOptions',
]);

function splitOptions(options: ModelOptions): { callSettings: ModelCallSettings; factorySettings: ProviderSettings } {
  const { modelName: _, takesImages: _takesImages, ...settings } = options;
  const entries = Object.entries(settings);
  return {
    callSettings: Object.fromEntries(entries.filter(([name]) => CALL_SETTINGS.has(name))),
    factorySettings: Object.fromEntries(entries.filter(([name]) => !CALL_SETTINGS.has(name))),
  };
}

/** Returns the values that error messages must not contain: keys, and headers with keys. */
function secretsIn({ apiKey, authToken, headers }: ProviderSettings): readonly string[] {
  const secretHeaders = Object.entries(isRecord(headers) ? headers : {}).filter(([name]) => SECRET_HEADER.test(name));
  const values: readonly unknown[] = [apiKey, authToken, ...secretHeaders.map(([, value]) => value)];
  return values.filter((value) => typeof value === 'string');
}

const SECRET_HEADER = /auth|key|token|secret|cookie/i;

function fromEnvironment(variables: readonly string[], environment: ProviderModel['environment']): string | undefined {
  return variables.map((variable) => environment[variable]).find(Boolean);
}

function refuseBadURL(baseURL: string, modelName: string): void {
  if (/^https?:/i.test(baseURL) && URL.canParse(baseURL)) return;
  throw new DriverInvalidArgumentError(
    `model.baseURL: ${modelName} needs an http or https URL. Received "${baseURL}".`,
    {
      argument: 'model.baseURL',
    },
  );
}

/** False if other credentials or a custom `fetch` can replace the key. */
function needsKey({ keyVariables }: Provider, settings: ProviderSettings): boolean {
  const hasOtherCredentials = ['authToken', 'headers', 'fetch'].some((name) => settings[name] !== undefined);
  return keyVariables.length > 0 && !hasOtherCredentials;
}

function missingKey({ keyVariables }: Provider, modelName: string): MissingLLMConfigurationError {
  return new MissingLLMConfigurationError(
    `${modelName}: there is no API key. Set ${keyVariables.join(' or ')}, or pass it as the model's apiKey.`,
  );
}

/** Adds the model's name to an error from the provider's factory, for example about conflicting credentials. */
async function createModel<T>(create: () => Promise<T>, modelName: string): Promise<T> {
  try {
    return await create();
  } catch (error) {
    if (error instanceof DriverError) throw error;
    const reason = reasonOf(error);
    throw new DriverInvalidArgumentError(`model: cannot set up ${modelName}: ${reason}`, {
      argument: 'model',
      cause: error,
    });
  }
}

function withoutUndefined(settings: Readonly<Record<string, unknown>>): ProviderSettings {
  return Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== undefined));
}
