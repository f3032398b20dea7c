import { randomUUID } from 'node:crypto';
import { appendFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { ModelMessage } from '../model/model-client.ts';
import { errorFacts, reasonOf } from '../util/error-facts.ts';
import type { Log } from '../util/log.ts';
import type { ValueMask } from '../util/value-mask.ts';
import type { InferenceRecord } from '../model/model-service.ts';

interface InferenceFileSettings {
  readonly log: Log;
  readonly mask: ValueMask;
  /** Default: `inference` in the working directory. */
  readonly folder?: string;
}

/** Only the owner can read the file, because requests contain page content. */
const MODE = 0o600;

/** Writes model requests and responses as JSON Lines. Values of variables are masked. */
export class InferenceFile {
  /** The file is created with the first line. */
  readonly path: string;
  readonly #settings: InferenceFileSettings;
  readonly #folder: string;
  #isUsable = true;

  constructor(settings: InferenceFileSettings) {
    const { folder = 'inference' } = settings;
    this.#settings = settings;
    this.#folder = folder;
    this.path = join(folder, `${new Date().toISOString().replaceAll(':', '-')}-${randomUUID().slice(0, 8)}.jsonl`);
  }

  /** A write error disables the log. The model call does not fail. */
  write(record: InferenceRecord): void {
    if (!this.#isUsable) return;
    try {
      mkdirSync(this.#folder, { recursive: true });
      appendFileSync(this.path, `${JSON.stringify(this.#line(record))}\n`, { mode: MODE });
    } catch (error) {
      this.#isUsable = false;
      this.#settings.log.write('model', 0, `Cannot write the inference log ${this.path}: ${reasonOf(error)}`);
    }
  }

  #line({ verb, modelName, usage, milliseconds, request, output, error }: InferenceRecord): object {
    const masked = (data: unknown): unknown => this.#settings.mask.maskData(data);
    const messages = request.messages.map(lineOf);
    return {
      timestamp: new Date().toISOString(),
      verb,
      model: modelName,
      milliseconds: Math.round(milliseconds),
      usage,
      messages: masked(messages),
      schema: request.schema,
      ...(error === undefined ? { output: masked(output) } : { error: masked(errorFacts(error)) }),
    };
  }
}

/** Replaces images with their count. */
function lineOf({ role, text, images = [], calls, results }: ModelMessage): object {
  return {
    role,
    text,
    images: images.length,
    ...(calls && { calls }),
    ...(results && {
      results: results.map(({ images: seen = [], ...result }) => ({ ...result, images: seen.length })),
    }),
  };
}
