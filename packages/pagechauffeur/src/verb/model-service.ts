import { reasonOf } from '../util/error-facts.ts';
import { type AnswerRules, generateChecked } from '../model/generate-checked.ts';
import { countImages, keepNewestImages } from '../model/message-images.ts';
import type { ModelClient, ModelRequest, ModelResponse, ModelUsage, ModelVerb } from '../model/model-client.ts';
import type { ModelConfiguration } from '../model/model-configuration.ts';
import { sumUsage } from '../model/model-usage.ts';
import { deferred, ignoreRejection } from '../util/deferred.ts';
import type { Log } from '../util/log.ts';
import { onSharedAbort } from '../util/on-abort.ts';
import type { Progress } from '../util/progress.ts';
import type { ValueMask } from '../util/value-mask.ts';
import { MaskedQuestion } from './masked-question.ts';
import { ModelClients } from './model-clients.ts';

/** What one question to a model cost. */
export interface InferenceRecord {
  readonly verb: ModelVerb;
  readonly modelName: string;
  /** With what attempts cost that brought no answer. */
  readonly usage: ModelUsage;
  /** How long it took, in milliseconds. */
  readonly milliseconds: number;
  readonly request: ModelRequest;
  /** The answer's data; undefined when there is none. */
  readonly output: unknown;
  /** What the question failed with. */
  readonly error?: unknown;
}

interface ModelServiceSettings {
  readonly configuration: ModelConfiguration | undefined;
  readonly log: Log;
  /** The model of a call that names none, when that is not the driver's. */
  readonly preferred?: ModelConfiguration | undefined;
  /** Aborted, with the reason, when the page that questions are about is gone: nobody needs their answers then. */
  readonly gone?: AbortSignal | undefined;
  /** Keeps values of variables out of questions. */
  readonly mask: ValueMask;
  /** Called after each answer and each failure, for metrics and the inference file. */
  readonly onInference: (record: InferenceRecord) => void;
}

/** How a question is asked and its answer read. */
interface Asking<T> {
  readonly model: ModelConfiguration | undefined;
  readonly rules: AnswerRules<T>;
  /** The answer is data for the caller: values of variables that the page shows are put back into it; default false. */
  readonly restoresValues?: boolean;
}

const SEES_NONE = 'it sees no pictures, so all are left out.';
/** Stands in a question where a picture was left out. */
const UNSEEN = '(A picture is left out here: you cannot be shown it.)';

/** Where verbs ask: finds the model on first use, checks its answers, and accounts for what they cost. */
export class ModelService {
  readonly #settings: ModelServiceSettings;
  readonly #clients: ModelClients;

  constructor(settings: ModelServiceSettings, clients = new ModelClients(settings.configuration)) {
    this.#settings = settings;
    this.#clients = clients;
  }

  /** The same modelService for one call, which is told besides what it costs, and may be about one page or have a model of its own. */
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

  /** Has the driver's own model ready for the first question, when there is one. What is wrong with it that question will say. */
  prepare(): void {
    if (this.#settings.configuration !== undefined) this.#clients.get().catch(ignoreRejection);
  }

  /** Asks the driver's model, or the one given for this call. */
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

  /** The question without pictures for a model that looks at none. */
  #withoutUnseen<Request extends Omit<ModelRequest, 'signal'>>(client: ModelClient, request: Request): Request {
    if (client.takesImages !== false || countImages(request.messages) === 0) return request;
    this.#logWarnings(client.modelName, { warnings: [SEES_NONE] });
    return { ...request, messages: keepNewestImages(request.messages, 0, UNSEEN) };
  }

  /** Whether the model that will be asked reads pages as trees; false when there is no model, which asking it will say. */
  async readsTree(progress: Progress, model: ModelConfiguration | undefined): Promise<boolean> {
    const client = await this.clientOf(progress, model);
    return client !== undefined && client.readsTree !== false;
  }

  /** The client that will be asked, to see what it can do; undefined when there is none, which asking it will say. */
  async clientOf(progress: Progress, model: ModelConfiguration | undefined): Promise<ModelClient | undefined> {
    try {
      return await progress.race(this.#clients.get(model ?? this.#settings.preferred));
    } catch {
      // Asking the model will say what is wrong with it.
      progress.throwIfEnded();
      return undefined;
    }
  }

  /** The same client, with each of its answers accounted for, also those that turn out to be of no use. */
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

/** Waits for an answer no longer than the page that it is about is there. */
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
