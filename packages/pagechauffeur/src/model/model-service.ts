import { reasonOf } from '../util/error-facts.ts';
import { type AnswerRules, generateChecked } from './generate-checked.ts';
import { countImages, keepNewestImages } from './message-images.ts';
import type { ModelClient, ModelRequest, ModelResponse, ModelUsage, ModelVerb } from './model-client.ts';
import type { ModelConfiguration } from './model-configuration.ts';
import { sumUsage } from './model-usage.ts';
import { deferred, ignoreRejection } from '../util/deferred.ts';
import type { Log } from '../util/log.ts';
import { onSharedAbort } from '../util/on-abort.ts';
import type { Progress } from '../util/progress.ts';
import type { ValueMask } from '../util/value-mask.ts';
import { MaskedQuestion } from './masked-request.ts';
import { resolveModel } from './resolve-model.ts';

/** The cost and the result of one model request, for metrics and the inference file. */
export interface InferenceRecord {
  readonly verb: ModelVerb;
  readonly modelName: string;
  /** Includes failed attempts. */
  readonly usage: ModelUsage;
  readonly milliseconds: number;
  readonly request: ModelRequest;
  /** The model's JSON data, or `undefined` if there was none. */
  readonly output: unknown;
  readonly error?: unknown;
}

interface ModelServiceSettings {
  readonly configuration: ModelConfiguration | undefined;
  readonly log: Log;
  /** Model for calls that set none. Default: the driver's model. */
  readonly preferred?: ModelConfiguration | undefined;
  /** Aborts when the page closes, because the response is useless then. */
  readonly gone?: AbortSignal | undefined;
  readonly mask: ValueMask;
  /** Called after each response and each failure. */
  readonly onInference: (record: InferenceRecord) => void;
}

interface Asking<T> {
  readonly model: ModelConfiguration | undefined;
  readonly rules: AnswerRules<T>;
  /** True if the caller receives the data, so that placeholders in the response become values again. Default: false. */
  readonly restoresValues?: boolean;
}

const SEES_NONE = 'the model does not accept images, so all images are omitted.';
/** Replaces a removed image, so that the model does not expect one. */
const UNSEEN = '(An image is omitted here, because you cannot view images.)';

/** Sends model requests, checks the responses and reports their cost. Creates clients on first use. */
export class ModelService {
  readonly #settings: ModelServiceSettings;
  readonly #clients: ModelClients;

  constructor(settings: ModelServiceSettings, clients = new ModelClients(settings.configuration)) {
    this.#settings = settings;
    this.#clients = clients;
  }

  /** Returns a service for one call, with the same clients. Also reports costs to `onInference`. */
  forCall(
    onInference: ModelServiceSettings['onInference'],
    {
      preferred = this.#settings.preferred,
      gone = this.#settings.gone,
    }: Pick<ModelServiceSettings, 'preferred' | 'gone'> = {},
  ): ModelService {
    const settings = {
      ...this.#settings,
      preferred,
      gone,
      onInference: (record: InferenceRecord) => {
        this.#settings.onInference(record);
        onInference(record);
      },
    };
    return new ModelService(settings, this.#clients);
  }

  /** Creates the client for the driver's model in advance. If that fails, the first request tries again. */
  prepare(): void {
    if (this.#settings.configuration !== undefined) this.#clients.get().catch(ignoreRejection);
  }

  /** Sends a request to `model`, else to the preferred model, else to the driver's model. */
  async ask<T>(
    progress: Progress,
    request: Omit<ModelRequest, 'signal'>,
    { model, rules, restoresValues = false }: Asking<T>,
  ): Promise<T> {
    const client = await progress.race(this.#clients.get(model ?? this.#settings.preferred));
    progress.log(`sending a request to ${client.modelName}`);
    const deadline = performance.now() + progress.remaining;
    const shown = this.#withoutUnseen(client, request);
    const { mask, gone } = this.#settings;
    const signal = gone ? AbortSignal.any([progress.signal, gone]) : progress.signal;
    const question = new MaskedQuestion({ ...shown, signal, deadline }, mask);
    const metered = this.#metered(client, progress);
    if (!restoresValues)
      return (await progress.race(unlessGone(gone, generateChecked(metered, question.request, rules)))).value;
    const restoring: AnswerRules<T> = {
      ...rules,
      check: (output, response) => rules.check(question.restored(output), response),
    };
    return (await progress.race(unlessGone(gone, generateChecked(metered, question.requestForData, restoring)))).value;
  }

  /** Removes all images if the model accepts none. */
  #withoutUnseen<Request extends Omit<ModelRequest, 'signal'>>(client: ModelClient, request: Request): Request {
    if (client.takesImages !== false || countImages(request.messages) === 0) return request;
    this.#logWarnings(client.modelName, { warnings: [SEES_NONE] });
    return { ...request, messages: keepNewestImages(request.messages, 0, UNSEEN) };
  }

  /** Returns false without a model: the request itself reports that. */
  async readsTree(progress: Progress, model: ModelConfiguration | undefined): Promise<boolean> {
    const client = await this.clientOf(progress, model);
    return client !== undefined && client.readsTree !== false;
  }

  /** Returns the client that will receive the request, or `undefined` if it cannot be created. */
  async clientOf(progress: Progress, model: ModelConfiguration | undefined): Promise<ModelClient | undefined> {
    try {
      return await progress.race(this.#clients.get(model ?? this.#settings.preferred));
    } catch {
      // The request itself throws this error.
      progress.throwIfEnded();
      return undefined;
    }
  }

  /** Wraps a client so that every response is recorded, including invalid ones and failures. */
  #metered(client: ModelClient, progress: Progress): ModelClient {
    const { modelName } = client;
    return {
      modelName,
      generate: async (request) => {
        const started = performance.now();
        const costs: ModelUsage[] = [];
        const masked = {
          ...request,
          onCost: (usage: ModelUsage) => void costs.push(usage),
          onWait: this.#waits(client, progress),
        };
        const account = (outcome: Pick<InferenceRecord, 'output' | 'error'>): void => {
          const milliseconds = performance.now() - started;
          this.#account({
            verb: request.verb,
            modelName,
            usage: sumUsage(...costs),
            milliseconds,
            request,
            ...outcome,
          });
        };
        try {
          const response = await progress.race(client.generate(masked));
          costs.push(response.usage);
          this.#logWarnings(modelName, response);
          account({ output: response.output });
          return response;
        } catch (error) {
          account({ output: undefined, error });
          throw error;
        }
      },
    };
  }

  #waits({ modelName }: ModelClient, progress: Progress): (sentence: string) => void {
    return (sentence) => {
      progress.log(`${modelName}: ${sentence}`);
      this.#settings.log.write('model', 1, `${modelName}: ${sentence}`);
    };
  }

  #account(record: InferenceRecord): void {
    const { verb, modelName, usage, milliseconds, error } = record;
    const outcome = error === undefined ? 'answered' : 'failed to answer';
    const why = error === undefined ? '' : `: ${reasonOf(error)}`;
    const line = `${modelName} ${outcome} ${verb} in ${Math.round(milliseconds)} ms${why}`;
    this.#settings.log.write('model', 2, line, { ...usage });
    this.#settings.onInference(record);
  }

  #logWarnings(modelName: string, { warnings = [], remark }: Pick<ModelResponse, 'warnings' | 'remark'>): void {
    if (remark !== undefined) this.#settings.log.write('model', 1, `${modelName}: ${remark}`);
    for (const warning of warnings) {
      if (this.#clients.hasLogged(modelName + warning)) continue;
      this.#settings.log.write('model', 1, `${modelName}: ${warning}`);
    }
  }
}

/** The model clients of a driver. Kept for the driver's lifetime, because a client learns what its provider accepts. */
class ModelClients {
  readonly #ownConfiguration: ModelConfiguration | undefined;
  readonly #clientByName = new Map<string | undefined, Promise<ModelClient>>();
  readonly #clientByObject = new WeakMap<object, Promise<ModelClient>>();

  readonly #logged = new Set<string>();

  constructor(ownConfiguration: ModelConfiguration | undefined) {
    this.#ownConfiguration = ownConfiguration;
  }

  get(configuration: ModelConfiguration | undefined = this.#ownConfiguration): Promise<ModelClient> {
    return typeof configuration === 'object'
      ? clientIn(this.#clientByObject, configuration, configuration)
      : clientIn(this.#clientByName, configuration, configuration);
  }

  /** Returns true if this warning was logged before, and marks it as logged. */
  hasLogged(warning: string): boolean {
    const hasLogged = this.#logged.has(warning);
    this.#logged.add(warning);
    return hasLogged;
  }
}

interface Clients<Key> {
  get(key: Key): Promise<ModelClient> | undefined;
  set(key: Key, client: Promise<ModelClient>): unknown;
  delete(key: Key): boolean;
}

/**
 * Returns the cached client or creates one. Does not cache a failure, because the API key may be set before the next
 * call.
 */
function clientIn<Key>(
  clients: Clients<Key>,
  key: Key,
  configuration: ModelConfiguration | undefined,
): Promise<ModelClient> {
  const known = clients.get(key);
  if (known) return known;
  const client = resolveModel(configuration).catch((error: unknown) => {
    clients.delete(key);
    throw error;
  });
  clients.set(key, client);
  return client;
}

/** Rejects as soon as the page closes, even if the client does not react to the signal. */
async function unlessGone<T>(gone: AbortSignal | undefined, answer: Promise<T>): Promise<T> {
  if (!gone) return answer;
  answer.catch(ignoreRejection);
  gone.throwIfAborted();
  const lost = deferred<never>();
  const stop = onSharedAbort(gone, () => lost.reject(gone.reason));
  try {
    return await Promise.race([answer, lost.promise]);
  } finally {
    stop();
  }
}
