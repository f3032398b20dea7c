import { randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { RemoteApiError, RemoteSessionNotFoundError } from '../errors.ts';
import { makeFolder } from '../util/make-folder.ts';
import { askPlatform, type PlatformAccess, type PlatformRequest } from './ask-platform.ts';
import type { SessionEvent } from './event-sender.ts';
import { PersonQuestions } from './person-question.ts';
import type { RemoteService } from './remote-service.ts';
import { readRemoteSession, type RemoteSession } from './remote-session.ts';

const TELL_MS = 10_000;
/** A server answers in milliseconds. If it does not, another may answer the next try, or all wait for the database. */
const FIND_MS = [2000, 4000, 8000] as const;
/** A browser elsewhere takes seconds to end. */
const RELEASE_MS = [15_000, 15_000, 15_000] as const;

/** The platform that rents out browsers, as seen by one who has a key. */
export class RemotePlatform implements RemoteService {
  readonly hasLinks = true;
  readonly people: PersonQuestions;
  readonly #access: PlatformAccess;

  constructor(access: PlatformAccess) {
    this.#access = access;
    this.people = new PersonQuestions(access);
  }

  /** Rents a browser. The request carries a key of its own, so that sending it twice rents one. */
  async create(parameters: object, signal: AbortSignal): Promise<RemoteSession> {
    const headers = { 'idempotency-key': randomUUID() };
    return this.#session({ method: 'POST', path: '/v1/sessions', body: parameters, headers, signal });
  }

  /** A session that runs; a `RemoteSessionNotFoundError` when it does not, or is not this key's. */
  async find(id: string, signal?: AbortSignal): Promise<RemoteSession> {
    const session = await this.#known(id, {
      method: 'GET',
      path: pathOf(id),
      tryTimeouts: FIND_MS,
      ...(signal ? { signal } : {}),
    });
    if (session.isRunning) return session;
    throw new RemoteSessionNotFoundError(
      `The remote session ${id} has ended${session.endReason === undefined ? '' : ` (${session.endReason})`}. Leave out remoteSessionID to create another.`,
    );
  }

  /** Says whether a session outlives its clients. */
  async keepAlive({ id }: RemoteSession, keepAlive: boolean, signal: AbortSignal): Promise<RemoteSession> {
    return this.#known(id, { method: 'POST', path: pathOf(id), body: { keepAlive }, signal });
  }

  /** Ends a session and its browser; one that has ended stays so. */
  async release({ id }: RemoteSession): Promise<void> {
    const body = { status: 'REQUEST_RELEASE' };
    await askPlatform(this.#access, { method: 'POST', path: pathOf(id), body, tryTimeouts: RELEASE_MS });
  }

  /** Tells what a driver does in a session. It is not told twice: what is lost is a line of a log. */
  async tell(id: string, events: readonly SessionEvent[]): Promise<void> {
    const signal = AbortSignal.timeout(TELL_MS);
    const path = `${pathOf(id)}/logs`;
    await askPlatform(this.#access, { method: 'POST', path, body: { events }, isRepeatable: false, signal });
  }

  /** Brings a file that the browser of a session downloaded into a folder here, and gives its path. */
  async download(id: string, name: string, folder: string): Promise<string> {
    const path = `${pathOf(id)}/downloads/${encodeURIComponent(name)}`;
    const { body } = await askPlatform(this.#access, { method: 'GET', path });
    await makeFolder(folder);
    const file = join(folder, name);
    await writeFile(file, body ?? '');
    return file;
  }

  async #known(id: string, request: PlatformRequest): Promise<RemoteSession> {
    try {
      return await this.#session(request);
    } catch (error) {
      if (!(error instanceof RemoteApiError) || (error.status !== 404 && error.status !== 410)) throw error;
      throw new RemoteSessionNotFoundError(
        `There is no remote session ${id} for this key: it may have ended long ago, or belong to another project.`,
        { cause: error },
      );
    }
  }

  async #session(request: PlatformRequest): Promise<RemoteSession> {
    const response = await askPlatform(this.#access, request);
    return readRemoteSession(parsed(await response.text()));
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Read as an answer without a session, which is told.
    return undefined;
  }
}

function pathOf(id: string): string {
  return `/v1/sessions/${encodeURIComponent(id)}`;
}
