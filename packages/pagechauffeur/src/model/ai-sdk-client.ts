import type * as AiSdkModule from 'ai';
import type { FinishReason, LanguageModelUsage, OutputInterface, Warning } from 'ai';
import { providerError, type ModelFacts, rejectionOf, providerMessage } from './ai-sdk-errors.ts';
import { type OriginalMessage, emitParts, toCall, toolSet } from './ai-sdk-calls.ts';
import { toAiSdkMessages } from './ai-sdk-messages.ts';
import { RequestVariants, hasProvided, type SchemaChannel, type RequestVariant } from './request-variants.ts';
import type {
  ComputerProtocol,
  JsonSchema,
  ModelClient,
  ModelRequest,
  ModelResponse,
  ModelUsage,
  StepAnswer,
} from './model-client.ts';
import type { LanguageModelObject, ModelCallSettings } from './model-configuration.ts';
import { withoutNullFields } from './null-fields.ts';
import { portableSchema, strictSchema } from './portable-schema.ts';
import { providerTraits } from './provider-traits.ts';
import { quietModel, warningText } from './quiet-model.ts';
import { readJson } from './read-json.ts';
import { schemaChecker } from './schema-check.ts';
import { ignoreRejection } from '../util/deferred.ts';
import { defaultRetries, withRetries } from './with-retries.ts';

type AiSdk = typeof AiSdkModule;

export interface AiSdkClientOptions extends ModelFacts {
  readonly model: LanguageModelObject;
  readonly callSettings?: ModelCallSettings;
  /** False if the model does not accept images. */
  readonly takesImages?: boolean | undefined;
  /** Creates the model for requests with a provider-defined tool, if these need another API. */
  readonly createProvided?: () => Promise<LanguageModelObject>;
}

/** Calls a model through the AI SDK, with structured output if the model supports it. */
export class AiSdkClient implements ModelClient {
  readonly readsTree = false;
  readonly modelName: string;
  readonly #options: AiSdkClientOptions;
  /** Imported in the constructor, so that the first request waits less. */
  readonly #ai = import('ai');
  /** What the provider accepts, learned from its responses. A request starts with the variant that worked last. */
  readonly #variants: RequestVariants;
  /** True once responses have shown whether the provider enforces the schema. */
  #isChannelProven = false;
  #provided: Promise<LanguageModelObject> | undefined;

  constructor(options: AiSdkClientOptions) {
    this.modelName = options.modelName;
    this.#options = options;
    this.#variants = new RequestVariants(options);
    this.#ai.catch(ignoreRejection);
  }

  get computer(): ComputerProtocol | undefined {
    const { model, createProvided } = this.#options;
    return computerProtocol(model.provider, createProvided !== undefined);
  }

  get leavesOutImages(): boolean {
    return this.#variants.leavesOutImages;
  }

  /** Sends one request. Retries it after a rate limit, a server error or a lost connection. */
  async generate(request: ModelRequest): Promise<ModelResponse> {
    const ai = await this.#ai;
    const { callSettings: { maxRetries = defaultRetries(request.verb) } = {} } = this.#options;
    try {
      const response = await withRetries(() => this.#askKnowing(ai, request), { maxRetries, request, ai });
      await this.#learnFrom(response, request);
      return response;
    } catch (error) {
      request.signal.throwIfAborted();
      throw providerError(error, this.#options, ai);
    }
  }

  /** If the provider rejects the request, tries other variants. If it rejects these too, throws the first rejection. */
  async #askKnowing(ai: AiSdk, request: ModelRequest): Promise<ModelResponse> {
    const variant = this.#variants.current;
    try {
      return withWarnings(await this.#askBy(variant, ai, request), this.#variants.warnings(request));
    } catch (error) {
      for (const other of this.#variants.besides(variant, { rejection: rejectionOf(error, ai), request })) {
        const response = await this.#askBy(other, ai, request).catch((second: unknown) => {
          if (rejectionOf(second, ai)) return undefined;
          throw second;
        });
        if (response)
          return withWarnings(response, this.#variants.learn(variant, other, providerMessage(error, this.#options)));
      }
      throw error;
    }
  }

  #askBy(variant: RequestVariant, ai: AiSdk, request: ModelRequest): Promise<ModelResponse> {
    const { channel } = variant;
    const question = this.#variants.question(variant, request);
    const { tools } = question;
    return tools && (channel !== 'prompt' || hasProvided(question))
      ? this.#askForCalls(ai, { ...question, tools })
      : this.#ask(ai, question, channel);
  }

  async #askForCalls(ai: AiSdk, request: ModelRequest & Required<Pick<ModelRequest, 'tools'>>): Promise<ModelResponse> {
    const warnings: Warning[] = [];
    const { modelName } = this;
    const model = await this.#modelFor(request);
    const { takesImagesInResults, bindsOriginals } = providerTraits(model);
    const { maxRetries: _, ...settings } = this.#settings({}, model);
    const question = {
      ...settings,
      maxRetries: 0,
      model: quietModel(model, (given) => void warnings.push(...given)),
      messages: toAiSdkMessages(request, {
        modelName,
        hasTools: true,
        takesImagesInResults,
        hasSchemaInPrompt: false,
        mergesTurns: false,
      }),
      allowSystemInMessages: true,
      tools: toolSet(ai, request.tools),
      abortSignal: request.signal,
    };
    const answer = await (request.onPart
      ? streamed(ai, question, { ...request, onPart: request.onPart })
      : ai.generateText(question));
    const [text, calls, { response }, finishReason, usage] = await Promise.all([
      answer.text,
      answer.toolCalls,
      answer.finalStep,
      answer.finishReason,
      answer.usage,
    ]);
    const message = response.messages.find(({ role }) => role === 'assistant');
    return {
      ...stopOf(finishReason),
      finishReason,
      output: { text, calls: calls.map((call) => toCall(call, request.tools)) } satisfies StepAnswer,
      usage: toUsage(usage),
      text,
      ...(message?.role === 'assistant'
        ? {
            original: { kind: 'ai-sdk', modelName, message } satisfies OriginalMessage,
            isOriginalBound: bindsOriginals,
          }
        : {}),
      ...(warnings.length > 0 ? { warnings: warnings.map(warningText) } : {}),
    };
  }

  async #ask(ai: AiSdk, request: ModelRequest, channel: SchemaChannel): Promise<ModelResponse> {
    const warnings: Warning[] = [];
    const { model } = this.#options;
    const { maxRetries: _, ...settings } = this.#settings(request.schema, model);
    const answer = channel === 'prompt' ? undefined : textOutput(request, this.#outputSchema(request.schema));
    const result = await ai.generateText({
      ...settings,
      maxRetries: 0,
      model: quietModel(model, (given) => void warnings.push(...given)),
      messages: toAiSdkMessages(request, {
        modelName: this.modelName,
        hasSchemaInPrompt: channel !== 'provider',
        mergesTurns: model.provider.endsWith('.chat'),
      }),
      allowSystemInMessages: true,
      abortSignal: request.signal,
      ...(answer ? { output: answer.output } : {}),
    });
    if (warnings.some(isSchemaIgnored)) this.#variants.channel = 'both';
    const texts = warnings.filter((warning) => !isSchemaIgnored(warning)).map(warningText);
    return {
      ...toResponse(answer?.text() ?? result.text, result.finishReason, result.usage),
      ...(texts.length > 0 ? { warnings: texts } : {}),
    };
  }

  /**
   * If the first complete response does not match the schema, the provider does not enforce it. Later requests then
   * contain the schema in the prompt too.
   */
  async #learnFrom({ output, stopped }: ModelResponse, { schema, tools }: ModelRequest): Promise<void> {
    // Requests with tools send no response schema, so their responses prove nothing.
    if (this.#isChannelProven || this.#variants.channel !== 'provider' || stopped || tools) return;
    this.#isChannelProven = true;
    if (output === undefined || !(await matches(output, schema))) this.#variants.channel = 'both';
  }

  #outputSchema(schema: JsonSchema): JsonSchema {
    return this.#isOpenAI() ? strictSchema(schema).schema : portableSchema(schema);
  }

  async #modelFor(request: ModelRequest): Promise<LanguageModelObject> {
    const { model, createProvided } = this.#options;
    if (!createProvided || !hasProvided(request)) return model;
    this.#provided ??= createProvided();
    return this.#provided;
  }

  #settings(schema: JsonSchema, model: LanguageModelObject): ModelCallSettings {
    const { callSettings = {} } = this.#options;
    const { providerOptions = {} } = callSettings;
    if (model.provider.endsWith('.interactions')) {
      const google = { store: false, ...providerOptions['google'] };
      return { ...callSettings, providerOptions: { ...providerOptions, google } };
    }
    if (!this.#isOpenAI()) return callSettings;
    const openai = {
      ...(strictSchema(schema).isStrict ? {} : { strictJsonSchema: false }),
      // OpenAI stores requests to the Responses API by default. Page content must not be stored unless the user allows
      // it.
      ...(model.provider.endsWith('.responses') ? { store: false } : {}),
      ...providerOptions['openai'],
    };
    return { ...callSettings, providerOptions: { ...providerOptions, openai } };
  }

  /** True for models of `@ai-sdk/openai` and `@ai-sdk/azure`, which share one strict mode. */
  #isOpenAI(): boolean {
    return /^(openai|azure)\b(?!-compatible)/.test(this.#options.model.provider);
  }
}

/** `hasSibling` is true if the provider can create the same model with the API that its computer use requires. */
function computerProtocol(provider: string, hasSibling: boolean): ComputerProtocol | undefined {
  if (/(?:^|\.)anthropic\b/.test(provider)) return 'anthropic';
  if (/^(?:openai|azure)\.responses$/.test(provider) || (hasSibling && provider.startsWith('openai.'))) return 'openai';
  return /^google\b.*\.interactions$/.test(provider) || (hasSibling && provider.startsWith('google.'))
    ? 'google'
    : undefined;
}

async function matches(output: unknown, schema: JsonSchema): Promise<boolean> {
  try {
    return (await schemaChecker(schema))(withoutNullFields(output, schema)).length === 0;
  } catch {
    // The schema has keywords that cannot be checked, so the response proves nothing.
    return true;
  }
}

/** Requests JSON but returns the raw text, so that a repair request can quote an invalid response. */
function textOutput(
  { schemaName }: ModelRequest,
  schema: JsonSchema,
): { output: OutputInterface<string, undefined, never>; text: () => string | undefined } {
  let answer: string | undefined;
  const output: OutputInterface<string, undefined, never> = {
    name: schemaName,
    responseFormat: Promise.resolve({ type: 'json', schema, name: schemaName }),
    parseCompleteOutput({ text }) {
      answer = text;
      return Promise.resolve(text);
    },
    parsePartialOutput: () => Promise.resolve(undefined),
    createElementStreamTransform: () => undefined,
  };
  return { output, text: () => answer };
}

function withWarnings(response: ModelResponse, more: readonly string[]): ModelResponse {
  const { warnings = [] } = response;
  return more.length === 0 ? response : { ...response, warnings: [...warnings, ...more] };
}

function isSchemaIgnored(warning: Warning): boolean {
  return warning.type === 'unsupported' && warning.feature === 'responseFormat';
}

function toResponse(text: string, finishReason: FinishReason, usage: LanguageModelUsage): ModelResponse {
  return { output: readJson(text), usage: toUsage(usage), text, finishReason, ...stopOf(finishReason) };
}

function stopOf(finishReason: FinishReason): Pick<ModelResponse, 'stopped'> {
  if (finishReason === 'length' || finishReason === 'interrupted') return { stopped: 'cut-off' };
  return finishReason === 'content-filter' ? { stopped: 'refused' } : {};
}

async function streamed(
  ai: AiSdk,
  question: Parameters<AiSdk['streamText']>[0],
  listening: Omit<Parameters<typeof emitParts>[1], 'ai'>,
): Promise<ReturnType<AiSdk['streamText']>> {
  // `emitParts` throws errors from the stream. Without this handler, the AI SDK would also print them.
  const answer = ai.streamText({ ...question, onError: () => undefined });
  await emitParts(answer.stream, { ...listening, ai });
  return answer;
}

function toUsage({ inputTokens, outputTokens, inputTokenDetails, outputTokenDetails }: LanguageModelUsage): ModelUsage {
  return {
    promptTokens: inputTokens ?? 0,
    completionTokens: outputTokens ?? 0,
    reasoningTokens: outputTokenDetails.reasoningTokens ?? 0,
    cachedInputTokens: inputTokenDetails.cacheReadTokens ?? 0,
  };
}
