import { randomUUID } from 'node:crypto';
import { appendFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { InferenceRecord } from '../verb/model-desk.ts';

/** Writes each question to a model and its answer as one line of JSON; variables stand there as their placeholders. */
export class InferenceFile {
  readonly path: string;

  constructor(folder = 'inference') {
    mkdirSync(folder, { recursive: true });
    this.path = join(folder, `${new Date().toISOString().replaceAll(':', '-')}-${randomUUID().slice(0, 8)}.jsonl`);
  }

  /** Appends one question and answer. */
  write({ verb, modelName, usage, milliseconds, request, output }: InferenceRecord): void {
    const messages = request.messages.map(({ role, text, images = [] }) => ({ role, text, images: images.length }));
    const line = {
      timestamp: new Date().toISOString(),
      verb,
      model: modelName,
      milliseconds: Math.round(milliseconds),
      usage,
      messages,
      schema: request.schema,
      output,
    };
    appendFileSync(this.path, `${JSON.stringify(line)}\n`);
  }
}
