import { UnsupportedModelError } from '../errors.ts';
import { nearestName } from '../util/nearest-name.ts';
import { importFromProject } from './import-from-project.ts';
import type { LanguageModelObject, ModelOptions } from './model-configuration.ts';

/** Options that are passed to a provider's factory. */
export type ProviderSettings = Readonly<Record<string, unknown>> & {
  readonly [Name in 'apiKey' | 'baseURL' | 'api']?: NonNullable<ModelOptions[Name]>;
};

/** A company or a local server that runs models. */
export interface Provider {
  /** Environment variables that may contain the API key, in order of precedence. Empty if no key is needed. */
  readonly keyVariables: readonly string[];
  /** Environment variable that may contain the base URL. */
  readonly baseURLVariable?: string;
  /** Default model: the provider's current small, fast model. */
  readonly defaultModel?: string;
  /** Imports the provider's package and creates a model. */
  createModel(name: string, settings: ProviderSettings): Promise<LanguageModelObject>;
  /** Creates a model with another API, if the provider's computer use requires one. */
  createComputerModel?(name: string, settings: ProviderSettings): Promise<LanguageModelObject>;
}

/** Built-in providers, in the order in which their API keys are looked up. */
export const PROVIDERS: Readonly<Record<string, Provider>> = {
  openai: {
    keyVariables: ['OPENAI_API_KEY'],
    baseURLVariable: 'OPENAI_BASE_URL',
    defaultModel: 'gpt-6-luna',
    createModel: createOpenAIModel,
    createComputerModel: (name, settings) => createOpenAIModel(name, { ...settings, api: 'responses' }),
  },
  anthropic: {
    keyVariables: ['ANTHROPIC_API_KEY'],
    baseURLVariable: 'ANTHROPIC_BASE_URL',
    defaultModel: 'claude-haiku-5-5',
    async createModel(name, settings) {
      const { createAnthropic } = await import('@ai-sdk/anthropic');
      return createAnthropic(settings).languageModel(name);
    },
  },
  google: {
    keyVariables: ['GOOGLE_API_KEY', 'GOOGLE_GENERATIVE_AI_API_KEY', 'GEMINI_API_KEY'],
    defaultModel: 'gemini-3.8-flash',
    async createModel(name, settings) {
      const { createGoogle } = await import('@ai-sdk/google');
      return createGoogle(settings).languageModel(name);
    },
    async createComputerModel(name, settings) {
      const { createGoogle } = await import('@ai-sdk/google');
      return createGoogle(settings).interactions(name);
    },
  },
  ollama: {
    keyVariables: [],
    createModel: (name, settings) => createOpenAIModel(name, { ...settings, baseURL: settings.baseURL ?? OLLAMA_URL }),
  },
};

const OLLAMA_URL = 'http://127.0.0.1:11434/v1';

/** The factory requires a key, but most custom servers do not. Servers that need one reject this one. */
const NO_KEY = 'no-key';

/** By default, uses the Responses API for OpenAI itself, and the chat protocol for servers with a base URL. */
async function createOpenAIModel(name: string, settings: ProviderSettings): Promise<LanguageModelObject> {
  const { createOpenAI } = await import('@ai-sdk/openai');
  const { api = settings.baseURL === undefined ? 'responses' : 'chat', apiKey = NO_KEY, ...rest } = settings;
  const provider = createOpenAI({ ...rest, apiKey });
  return api === 'chat' ? provider.chat(name) : provider.responses(name);
}

/** Returns a built-in provider, or one that loads `@ai-sdk/<name>` from the user's project. */
export function findProvider(name: string, model: string): Provider {
  if (Object.hasOwn(PROVIDERS, name) && PROVIDERS[name]) return PROVIDERS[name];
  return {
    keyVariables: [],
    createModel: (modelName, settings) => createForeignModel({ name, model, modelName, settings }),
  };
}

interface ForeignModel {
  readonly name: string;
  readonly model: string;
  readonly modelName: string;
  readonly settings: ProviderSettings;
}

async function createForeignModel({ name, model, modelName, settings }: ForeignModel): Promise<LanguageModelObject> {
  const packageName = `@ai-sdk/${name}`;
  const module = PROVIDER_NAME.test(name) ? await importFromProject(packageName) : undefined;
  if (!module) throw unknownProvider(name, model);
  const create = factoryOf(module, name);
  const languageModel: unknown = create?.(settings)?.languageModel?.(modelName);
  if (isLanguageModel(languageModel)) return languageModel;
  throw new UnsupportedModelError(
    `${model}: ${packageName} cannot create language models by name. Pass a model object of the AI SDK as \`model\`.`,
    {
      model,
    },
  );
}

/** Valid provider names. Other names could import any path. */
const PROVIDER_NAME = /^[a-z0-9][a-z0-9-]*$/;

function unknownProvider(name: string, model: string): UnsupportedModelError {
  const installed = [...Object.keys(PROVIDERS), 'offline'];
  const suggestion = nearestName(name, installed);
  const advice = suggestion ? `Did you mean ${suggestion}${model.slice(name.length)}?` : otherProviders(name);
  return new UnsupportedModelError(
    `${model}: unknown provider "${name}". Installed providers: ${installed.join(', ')}. ${advice}`,
    { model },
  );
}

function otherProviders(name: string): string {
  const ofTheSdk = PROVIDER_NAME.test(name)
    ? `Another provider of the AI SDK works once its package is installed: npm install @ai-sdk/${name}.`
    : 'Other providers of the AI SDK work once their package @ai-sdk/<provider> is installed.';
  return `${ofTheSdk} A server with an OpenAI-compatible protocol works as openai/<model> with its baseURL.`;
}

type ProviderFactory = (settings: ProviderSettings) => { languageModel?: (name: string) => unknown } | undefined;

/** Returns `createMistral` for `mistral`, `createAmazonBedrock` for `amazon-bedrock`, or else the first factory. */
function factoryOf(module: Readonly<Record<string, unknown>>, name: string): ProviderFactory | undefined {
  const wanted = `create${name.replaceAll('-', '')}`;
  const factories = Object.keys(module).filter((key) => /^create[A-Z]/.test(key));
  const key = factories.find((factory) => factory.toLowerCase() === wanted) ?? factories[0];
  const factory = key === undefined ? undefined : module[key];
  return typeof factory === 'function' ? (factory as ProviderFactory) : undefined;
}

export function isLanguageModel(value: unknown): value is LanguageModelObject {
  return typeof value === 'object' && value !== null && 'specificationVersion' in value && 'doGenerate' in value;
}
