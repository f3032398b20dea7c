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

/** The cost and result of one model request. */
export interface InferenceRecord {
  readonly verb: ModelVerb;
  readonly modelName: string;
  /** Includes attempts without a response. */
  readonly usage: ModelUsage;
  /** Duration in milliseconds. */
  readonly milliseconds: number;
  readonly request: ModelRequest;
  /** Data of the response, or `undefined` if there was none. */
  readonly output: unknown;
  /** The error if the request failed. */
  readonly error?: unknown;
}

interface ModelServiceSettings {
  readonly configuration: ModelConfiguration | undefined;
  readonly log: Log;
  /** The model for calls that set none. Default: the driver's model. */
  readonly preferred?: ModelConfiguration | undefined;
  /** Aborts with a reason when the page of the request is closed, because the response is useless then. */
  readonly gone?: AbortSignal | undefined;
  /** Masks variable values in requests. */
  readonly mask: ValueMask;
  /** Called after each response and each failure. Feeds metrics and the inference file. */
  readonly onInference: (record: InferenceRecord) => void;
}

/** Settings for one request and its response. */
interface Asking<T> {
  readonly model: ModelConfiguration | undefined;
  readonly rules: AnswerRules<T>;
  /**
   * Restores variable values that the page shows in the response. Set for data that the caller receives. Default:
   * false.
   */
  readonly restoresValues?: boolean;
}

const SEES_NONE = 'it has no vision, so all images are omitted.';
/** Text that replaces a removed image. */
const UNSEEN = '(An image is omitted here, because you cannot view images.)';

/** Sends the model requests of all verbs. Creates clients on first use, checks responses and records their cost. */
export class ModelService {
  readonly #settings: ModelServiceSettings;
  readonly #clients: ModelClients;

  constructor(settings: ModelServiceSettings, clients = new ModelClients(settings.configuration)) {
    this.#settings = settings;
    this.#clients = clients;
  }

  /**
   * Returns the same service for one call. It also reports the cost to the call, and may have its own page and model.
   */
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

  /** Creates the client of the driver's own model, if there is one. The first request reports an error. */
  prepare(): void {
    if (this.#settings.configuration !== undefined) this.#clients.get().catch(ignoreRejection);
  }

  /** Sends a request to the model of this call, or to the driver's model. */
  async ask<T>(
    progress: Progress,
    request: Omit<ModelRequest, 'signal'>,
    { model, rules, restoresValues = false }: Asking<T>,
  ): Promise<T> {
    const client = await progress.race(this.#clients.get(model ?? this.#settings.preferred));
    progress.log(`asking ${client.modelName}`);
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

  /** Removes images from the request if the model accepts none. */
  #withoutUnseen<Request extends Omit<ModelRequest, 'signal'>>(client: ModelClient, request: Request): Request {
    if (client.takesImages !== false || countImages(request.messages) === 0) return request;
    this.#logWarnings(client.modelName, { warnings: [SEES_NONE] });
    return { ...request, messages: keepNewestImages(request.messages, 0, UNSEEN) };
  }

  /**
   * True if the model reads pages as trees. Returns false if there is no model, because the request itself reports
   * that.
   */
  async readsTree(progress: Progress, model: ModelConfiguration | undefined): Promise<boolean> {
    const client = await this.clientOf(progress, model);
    return client !== undefined && client.readsTree !== false;
  }

  /**
   * Returns the client that will receive the request, for its capabilities. Returns `undefined` if there is none,
   * because the request itself reports that.
   */
  async clientOf(progress: Progress, model: ModelConfiguration | undefined): Promise<ModelClient | undefined> {
    try {
      return await progress.race(this.#clients.get(model ?? this.#settings.preferred));
    } catch {
      // The request itself reports the problem with the model.
      progress.throwIfEnded();
      return undefined;
    }
  }

  /** Wraps a client so that each of its responses is recorded, including rejected ones. */
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

/**
 * The model clients of a driver, created on first use. Kept for the driver's lifetime, because a client learns about
 * its provider.
 */
class ModelClients {
  readonly #ownConfiguration: ModelConfiguration | undefined;
  readonly #clientByName = new Map<string | undefined, Promise<ModelClient>>();
  readonly #clientByObject = new WeakMap<object, Promise<ModelClient>>();

  readonly #logged = new Set<string>();

  constructor(ownConfiguration: ModelConfiguration | undefined) {
    this.#ownConfiguration = ownConfiguration;
  }

  /** Returns the client for the model of a call, or for the driver's own model. */
  get(configuration: ModelConfiguration | undefined = this.#ownConfiguration): Promise<ModelClient> {
    return typeof configuration === 'object'
      ? clientIn(this.#clientByObject, configuration, configuration)
      : clientIn(this.#clientByName, configuration, configuration);
  }

  /** True if this warning was logged before. Marks it as logged. */
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
 * Returns the cached client, or creates one. Does not cache a failure, because the API key may be set before the next
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

/** Waits for a response, but rejects when the page of the request is closed. */
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
