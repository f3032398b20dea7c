import type { FinishReason, LanguageModelUsage, OutputInterface, Warning } from 'ai';
import { providerError, type ModelFacts } from './ai-sdk-errors.ts';
import { toAiSdkMessages } from './ai-sdk-messages.ts';
import type { JsonSchema, ModelClient, ModelRequest, ModelResponse, ModelUsage } from './model-client.ts';
import type { LanguageModelObject, ModelCallSettings } from './model-configuration.ts';
import { portableSchema, strictSchema } from './portable-schema.ts';
import { readJson } from './read-json.ts';

/** What an {@link AiSdkClient} is made of. */
export interface AiSdkClientOptions extends ModelFacts {
  readonly model: LanguageModelObject;
  readonly callSettings?: ModelCallSettings;
}

/** Asks a model of the AI SDK, with structured output where the model has it. */
export class AiSdkClient implements ModelClient {
  readonly readsTree = false;
  readonly modelName: string;
  readonly #options: AiSdkClientOptions;
  /** Set once the provider has said that it does not pass schemas on: from then on the prompt carries them. */
  #needsSchemaInPrompt = false;

  constructor(options: AiSdkClientOptions) {
    this.modelName = options.modelName;
    this.#options = options;
  }

  /** Asks once; retries only what did not reach the model or was put off by it. */
  async generate(request: ModelRequest): Promise<ModelResponse> {
    const ai = await import('ai');
    const answer = textOutput(request, this.#outputSchema(request.schema));
    try {
      const result = await ai.generateText({
        ...this.#settings(request.schema),
        model: this.#options.model,
        messages: toAiSdkMessages(request, this.#needsSchemaInPrompt),
        allowSystemInMessages: true,
        abortSignal: request.signal,
        output: answer.output,
      });
      this.#needsSchemaInPrompt ||= (result.warnings ?? []).some(isSchemaIgnored);
      return toResponse(answer.text() ?? result.text, result.finishReason, result.usage);
    } catch (error) {
      request.signal.throwIfAborted();
      throw providerError(error, this.#options, ai);
    }
  }

  #outputSchema(schema: JsonSchema): JsonSchema {
    return this.#isOpenAI() ? strictSchema(schema).schema : portableSchema(schema);
  }

  #settings(schema: JsonSchema): ModelCallSettings {
    const { callSettings = {} } = this.#options;
    if (!this.#isOpenAI()) return callSettings;
    const { providerOptions = {} } = callSettings;
    const openai = {
      ...(strictSchema(schema).isStrict ? {} : { strictJsonSchema: false }),
      // OpenAI keeps what goes through Responses unless it is told not to; pages are the user's own affair.
      ...(this.#options.model.provider.endsWith('.responses') ? { store: false } : {}),
      ...providerOptions['openai'],
    };
    return { ...callSettings, providerOptions: { ...providerOptions, openai } };
  }

  /** OpenAI, Azure and every server reached by the OpenAI-compatible path share one strict mode. */
  #isOpenAI(): boolean {
    return /^(openai|azure)\b(?!-compatible)/.test(this.#options.model.provider);
  }
}

/** An output that asks for JSON and hands over the text as it came, so that a broken answer can be shown and repaired. */
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

function isSchemaIgnored(warning: Warning): boolean {
  return warning.type === 'unsupported' && warning.feature === 'responseFormat';
}

function toResponse(text: string, finishReason: FinishReason, usage: LanguageModelUsage): ModelResponse {
  const response = { output: readJson(text), usage: toUsage(usage), text };
  if (finishReason === 'length' || finishReason === 'interrupted') return { ...response, stopped: 'cut-off' };
  if (finishReason === 'content-filter') return { ...response, stopped: 'refused' };
  return response;
}

function toUsage({ inputTokens, outputTokens, inputTokenDetails, outputTokenDetails }: LanguageModelUsage): ModelUsage {
  return {
    promptTokens: inputTokens ?? 0,
    completionTokens: outputTokens ?? 0,
    reasoningTokens: outputTokenDetails.reasoningTokens ?? 0,
    cachedInputTokens: inputTokenDetails.cacheReadTokens ?? 0,
  };
}
