import { randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { RemoteApiError, RemoteSessionNotFoundError } from '../errors.ts';
import { makeFolder } from '../util/make-folder.ts';
import { requestPlatform, type PlatformAccess, type PlatformRequest } from './platform-request.ts';
import type { SessionEvent } from './event-sender.ts';
import { OperatorQuestions } from './operator-questions.ts';
import type { RemoteService } from './remote-service.ts';
import { readRemoteSession, type RemoteSession } from './remote-session.ts';

const TELL_MS = 10_000;
/** Servers respond in milliseconds. After a timeout, the next attempt may reach another server. */
const FIND_MS = [2000, 4000, 8000] as const;
/** Closing a remote browser takes seconds. */
const RELEASE_MS = [15_000, 15_000, 15_000] as const;

export class RemotePlatform implements RemoteService {
  readonly hasLinks = true;
  readonly operators: OperatorQuestions;
  readonly #access: PlatformAccess;

  constructor(access: PlatformAccess) {
    this.#access = access;
    this.operators = new OperatorQuestions(access);
  }

  /** Sends an idempotency key, so that retries create only one session. */
  async create(parameters: object, signal: AbortSignal): Promise<RemoteSession> {
    const headers = { 'idempotency-key': randomUUID() };
    return this.#session({ method: 'POST', path: '/v1/sessions', body: parameters, headers, signal });
  }

  async find(id: string, signal?: AbortSignal): Promise<RemoteSession> {
    const session = await this.#known(id, {
      method: 'GET',
      path: pathOf(id),
      tryTimeouts: FIND_MS,
      ...(signal ? { signal } : {}),
    });
    if (session.isRunning) return session;
    throw new RemoteSessionNotFoundError(
      `Remote session ${id} has ended${session.endReason === undefined ? '' : ` (${session.endReason})`}. Leave out remoteSessionID to create a new one.`,
    );
  }

  async keepAlive({ id }: RemoteSession, keepAlive: boolean, signal: AbortSignal): Promise<RemoteSession> {
    return this.#known(id, { method: 'POST', path: pathOf(id), body: { keepAlive }, signal });
  }

  async release({ id }: RemoteSession): Promise<void> {
    const body = { status: 'REQUEST_RELEASE' };
    await requestPlatform(this.#access, { method: 'POST', path: pathOf(id), body, tryTimeouts: RELEASE_MS });
  }

  /** Not retried, because a failure loses only log lines. */
  async tell(id: string, events: readonly SessionEvent[]): Promise<void> {
    const signal = AbortSignal.timeout(TELL_MS);
    const path = `${pathOf(id)}/logs`;
    await requestPlatform(this.#access, { method: 'POST', path, body: { events }, isRepeatable: false, signal });
  }

  async download(id: string, name: string, folder: string): Promise<string> {
    const path = `${pathOf(id)}/downloads/${encodeURIComponent(name)}`;
    const { body } = await requestPlatform(this.#access, { method: 'GET', path });
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
        `There is no remote session ${id} for this API key. It may have ended long ago or belong to another project.`,
        { cause: error },
      );
    }
  }

  async #session(request: PlatformRequest): Promise<RemoteSession> {
    const response = await requestPlatform(this.#access, request);
    return readRemoteSession(parsed(await response.text()));
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Not JSON. The caller reports that the response contains no session.
    return undefined;
  }
}

function pathOf(id: string): string {
  return `/v1/sessions/${encodeURIComponent(id)}`;
}
