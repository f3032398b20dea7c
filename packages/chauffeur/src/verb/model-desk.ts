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
  onInference(record: InferenceRecord): void;
}

/** Where verbs ask: finds the model on first use, checks its answers, and accounts for what they cost. */
export class ModelDesk {
  readonly #settings: DeskSettings;
  #defaultClient: Promise<ModelClient> | undefined;

  constructor(settings: DeskSettings) {
    this.#settings = settings;
  }

  /** Asks the driver's model, or the one given for this call. */
  async ask<T>(progress: Progress, request: Omit<ModelRequest, 'signal'>, { model, rules }: { model: ModelConfiguration | undefined; rules: AnswerRules<T> }): Promise<T> {
    const client = await progress.race(model === undefined ? this.#default() : resolveModel(model));
    const whole: ModelRequest = { ...request, signal: progress.signal };
    const started = performance.now();
    progress.log(`asking ${client.modelName}`);
    const { value, usage } = await progress.race(generateChecked(client, whole, rules));
    const milliseconds = performance.now() - started;
    this.#settings.log.write('model', 2, `${client.modelName} answered ${request.verb} in ${Math.round(milliseconds)} ms`, { ...usage });
    this.#settings.onInference({ verb: request.verb, modelName: client.modelName, usage, milliseconds, request: whole, output: value });
    return value;
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
