import { LLMResponseError } from '../errors.ts';
import type { ModelClient, ModelRequest, ModelResponse } from './model-client.ts';
import type { ModelConfiguration } from './model-configuration.ts';
import { NO_USAGE } from './model-usage.ts';
import { recordingKey, RefNames } from './recording-key.ts';
import { RecordingFile, type Recording } from './recording-file.ts';

/** Options of a {@link RecordingModel}. */
export interface RecordingModelOptions {
  /** JSON file for the recordings. Created if missing. Only one model may write to it at a time. */
  readonly path: string;
  /**
   * `replay` (default): only reads the file; `record`: calls the model for every request and overwrites recordings;
   * `extend`: calls the model for requests that are not in the file.
   */
  readonly mode?: 'replay' | 'record' | 'extend';
  /** Model to record: a client, an AI SDK model object, or `provider/model`. Not loaded in `replay`. */
  readonly model?: ModelConfiguration;
}

/**
 * Records a model's responses and replays them without the model, so that tests run offline, at no cost and with the
 * same responses. A request is recognized by its verb, instruction, schema, variable names, page text and later
 * messages. Ports of local servers, ref numbers, images and the wording of prompts may differ.
 * @example
 * const model = new RecordingModel({
 *   path: 'test/recordings/checkout.json',
 *   mode: process.env.RECORD ? 'record' : 'replay',
 *   model: 'openai/gpt-6-luna',
 * });
 * const driver = new Driver({ env: 'LOCAL', llmClient: model });
 */
export class RecordingModel implements ModelClient {
  readonly #options: RecordingModelOptions;
  readonly #file: RecordingFile;
  #client: Promise<ModelClient> | undefined;

  constructor(options: RecordingModelOptions) {
    this.#options = options;
    this.#file = new RecordingFile(options.path);
  }

  /** Name of the recorded model, or `recorded/model` if it is unknown. */
  get modelName(): string {
    const { model } = this.#options;
    if (typeof model === 'string') return model;
    return model && 'modelName' in model && typeof model.modelName === 'string' ? model.modelName : 'recorded/model';
  }

  /**
   * Returns the response from the file or the model, depending on the mode. A replayed response has no usage.
   * @throws LLMResponseError when the mode is `replay` and the file has no response.
   */
  async generate(request: ModelRequest): Promise<ModelResponse> {
    const { mode = 'replay' } = this.#options;
    const names = new RefNames(request.page);
    const key = recordingKey(request, names);
    const known = mode === 'record' ? undefined : await this.#file.read(key);
    if (known) return { output: names.restore(known.output), usage: NO_USAGE, ...stopOf(known) };
    if (mode === 'replay') throw this.#missing(request, key);
    return this.#record(request, { key, names });
  }

  async #record(request: ModelRequest, { key, names }: { key: string; names: RefNames }): Promise<ModelResponse> {
    const client = await this.#recordedClient();
    const response = await client.generate(request);
    const { verb, instruction, page } = request;
    const question = { verb, instruction, page: page.title };
    await this.#file.write(key, { ...question, output: names.replace(response.output) ?? null, ...stopOf(response) });
    return response;
  }

  #recordedClient(): Promise<ModelClient> {
    this.#client ??= import('./resolve-model.ts').then(({ resolveModel }) => resolveModel(this.#options.model));
    return this.#client;
  }

  #missing({ verb, instruction, page }: ModelRequest, key: string): LLMResponseError {
    return new LLMResponseError(
      `RecordingModel: ${this.#options.path} has no response for ${verb} "${instruction}" on ${page.url} (key ${key}). ` +
        "Run once with a model and the mode 'record' (all responses) or 'extend' (only missing ones).",
    );
  }
}

function stopOf({ stopped }: Pick<Recording, 'stopped'>): Pick<Recording, 'stopped'> {
  return stopped === undefined ? {} : { stopped };
}
