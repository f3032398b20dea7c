import { type AnswerRules, generateChecked } from '../model/generate-checked.ts';
import type { ModelClient, ModelRequest, ModelUsage, ModelVerb } from '../model/model-client.ts';
import type { ModelConfiguration } from '../model/model-configuration.ts';
import { resolveModel } from '../model/resolve-model.ts';
import type { Log } from '../util/log.ts';
import type { Progress } from '../util/progress.ts';

/** What one question to a model cost. */
export interface InferenceRecord {
  readonly verb: ModelVerb;
  readonly modelName: string;
  readonly usage: ModelUsage;
  /** How long it took, in milliseconds. */
  readonly milliseconds: number;
  readonly request: ModelRequest;
  readonly output: unknown;
}

interface DeskSettings {
  readonly configuration: ModelConfiguration | undefined;
  readonly log: Log;
  /** Called after each answer, for metrics and the inference file. */
  readonly onInference: (record: InferenceRecord) => void;
}

/** Where verbs ask: finds the model on first use, checks its answers, and accounts for what they cost. */
export class ModelDesk {
  readonly #settings: DeskSettings;
  #defaultClient: Promise<ModelClient> | undefined;

  constructor(settings: DeskSettings) {
    this.#settings = settings;
  }

  /** Asks the driver's model, or the one given for this call. */
  async ask<T>(
    progress: Progress,
    request: Omit<ModelRequest, 'signal'>,
    { model, rules }: { model: ModelConfiguration | undefined; rules: AnswerRules<T> },
  ): Promise<T> {
    const client = await progress.race(this.#clientFor(model));
    progress.log(`asking ${client.modelName}`);
    const whole: ModelRequest = { ...request, signal: progress.signal };
    const { value } = await progress.race(generateChecked(this.#metered(client), whole, rules));
    return value;
  }

  /** Whether the model that will be asked reads pages as trees; false when there is no model, which asking it will say. */
  async readsTree(progress: Progress, model: ModelConfiguration | undefined): Promise<boolean> {
    try {
      const client = await progress.race(this.#clientFor(model));
      return client.readsTree !== false;
    } catch {
      // Asking the model will say what is wrong with it.
      progress.throwIfEnded();
      return false;
    }
  }

  #clientFor(model: ModelConfiguration | undefined): Promise<ModelClient> {
    return model === undefined ? this.#default() : resolveModel(model);
  }

  /** The same client, with each of its answers accounted for, also those that turn out to be of no use. */
  #metered(client: ModelClient): ModelClient {
    const { modelName } = client;
    const { log, onInference } = this.#settings;
    return {
      modelName,
      generate: async (request) => {
        const started = performance.now();
        const response = await client.generate(request);
        const milliseconds = performance.now() - started;
        const { usage, output } = response;
        log.write('model', 2, `${modelName} answered ${request.verb} in ${Math.round(milliseconds)} ms`, { ...usage });
        onInference({ verb: request.verb, modelName, usage, milliseconds, request, output });
        return response;
      },
    };
  }

  // A failed look-up is not kept: the key may be set by the next call.
  #default(): Promise<ModelClient> {
    this.#defaultClient ??= resolveModel(this.#settings.configuration).catch((error: unknown) => {
      this.#defaultClient = undefined;
      throw error;
    });
    return this.#defaultClient;
  }
}
