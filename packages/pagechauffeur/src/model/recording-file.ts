import { randomUUID } from 'node:crypto';
import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { DriverInvalidArgumentError } from '../errors.ts';
import { ignoreRejection } from '../util/deferred.ts';
import { makeFolder } from '../util/make-folder.ts';
import { isRecord } from './json-schema.ts';
import type { ModelResponse, ModelVerb } from './model-client.ts';

/** A recorded response. `verb`, `instruction` and `page` are for people who read the file. */
export interface Recording extends Pick<ModelResponse, 'output' | 'stopped'> {
  readonly verb: ModelVerb;
  readonly instruction: string;
  /** Title of the page. */
  readonly page: string;
}

type Recordings = Readonly<Record<string, Recording>>;

/** Version of the file format. Files with another version are rejected. */
const VERSION = 1;

/** A JSON file of recordings by key. Writes are atomic and run one after another. */
export class RecordingFile {
  readonly #path: string;
  /** The latest write. The next read or write waits for it. */
  #lastWrite: Promise<void> = Promise.resolve();

  constructor(path: string) {
    this.#path = path;
  }

  async read(key: string): Promise<Recording | undefined> {
    await this.#lastWrite;
    const recordings = await this.#load();
    return Object.hasOwn(recordings, key) ? recordings[key] : undefined;
  }

  write(key: string, recording: Recording): Promise<void> {
    const write = this.#lastWrite.then(async () => this.#save({ ...(await this.#load()), [key]: recording }));
    // Only the caller of this write gets its error. The next write reads the file again.
    this.#lastWrite = write.catch(ignoreRejection);
    return write;
  }

  async #load(): Promise<Recordings> {
    const text = await readIfThere(this.#path);
    if (text === undefined) return {};
    const content = this.#parse(text);
    if (!isRecord(content) || content['version'] !== VERSION || !isRecord(content['recordings']))
      throw this.#unreadable();
    // `#save` wrote this data. Responses that were edited by hand are validated like those from a model.
    return content['recordings'] as Recordings;
  }

  #parse(text: string): unknown {
    try {
      return JSON.parse(text);
    } catch (error) {
      throw this.#unreadable(error);
    }
  }

  #unreadable(cause?: unknown): DriverInvalidArgumentError {
    const message = `RecordingModel: ${this.#path} is not a recording file of version ${VERSION}. Delete it and record again.`;
    return new DriverInvalidArgumentError(message, { argument: 'path', cause });
  }

  /** Sorts the recordings by key, so that a new one is a small diff. */
  async #save(recordings: Recordings): Promise<void> {
    const sorted = Object.fromEntries(Object.entries(recordings).toSorted(([a], [b]) => (a < b ? -1 : 1)));
    const temporary = `${this.#path}.${randomUUID()}.tmp`;
    await makeFolder(dirname(this.#path));
    try {
      await writeFile(temporary, `${JSON.stringify({ version: VERSION, recordings: sorted }, undefined, 2)}\n`);
      await rename(temporary, this.#path);
    } finally {
      await rm(temporary, { force: true });
    }
  }
}

async function readIfThere(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}
