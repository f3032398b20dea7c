import { randomUUID } from 'node:crypto';
import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { DriverInvalidArgumentError } from '../errors.ts';
import { ignoreRejection } from '../util/deferred.ts';
import { makeFolder } from '../util/make-folder.ts';
import { isRecord } from './json-schema.ts';
import type { ModelResponse, ModelVerb } from './model-client.ts';

/** One recorded answer, with enough of its question that a person can tell what it is. */
export interface Recording extends Pick<ModelResponse, 'output' | 'stopped'> {
  readonly verb: ModelVerb;
  readonly instruction: string;
  /** The page's title. */
  readonly page: string;
}

type Recordings = Readonly<Record<string, Recording>>;

/** Version of the file's form; a file of another version is refused, not guessed at. */
const VERSION = 1;

/** A JSON file of recordings by key. A write is never seen half done, and one does not undo another. */
export class RecordingFile {
  readonly #path: string;
  /** The last write; the next one waits for it. */
  #lastWrite: Promise<void> = Promise.resolve();

  constructor(path: string) {
    this.#path = path;
  }

  /** The recording of that key, if there is one. */
  async read(key: string): Promise<Recording | undefined> {
    await this.#lastWrite;
    const recordings = await this.#load();
    return Object.hasOwn(recordings, key) ? recordings[key] : undefined;
  }

  /** Adds or replaces a recording. */
  write(key: string, recording: Recording): Promise<void> {
    const write = this.#lastWrite.then(async () => this.#save({ ...(await this.#load()), [key]: recording }));
    // Whoever asked for this write gets its error; the next write starts from the file as it then is.
    this.#lastWrite = write.catch(ignoreRejection);
    return write;
  }

  async #load(): Promise<Recordings> {
    const text = await readIfThere(this.#path);
    if (text === undefined) return {};
    const content = this.#parse(text);
    if (!isRecord(content) || content['version'] !== VERSION || !isRecord(content['recordings']))
      throw this.#unreadable();
    // Written by `#save` below; a hand-edited answer is checked like a model's.
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
    const message = `RecordingModel: ${this.#path} is not a file of recordings of version ${VERSION}. Delete it and record anew.`;
    return new DriverInvalidArgumentError(message, { argument: 'path', cause });
  }

  /** Keys are sorted, so that a new recording is a small change to look at. */
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
