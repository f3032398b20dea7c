import type { SessionEvent } from './event-sender.ts';
import type { OperatorQuestions } from './operator-questions.ts';
import type { RemoteSession } from './remote-session.ts';

/** Client of a provider of remote browsers. */
export interface RemoteService {
  /** True if the service supports the link protocol, which resumes lost connections. */
  readonly hasLinks: boolean;
  create(parameters: object, signal: AbortSignal): Promise<RemoteSession>;
  /**
   * Looks up a running session.
   * @throws RemoteSessionNotFoundError if no running session has this id.
   */
  find(id: string, signal?: AbortSignal): Promise<RemoteSession>;
  /** Sets whether the session continues after its last client disconnects. */
  keepAlive(session: RemoteSession, keepAlive: boolean, signal: AbortSignal): Promise<RemoteSession>;
  /** Ends the session and its browser. Does nothing if the session has already ended. */
  release(session: RemoteSession): Promise<void>;
  /** Appends to the session's event log. Undefined if the service has none. */
  tell?(id: string, events: readonly SessionEvent[]): Promise<void>;
  /** Undefined if the service has no operators. */
  readonly operators?: OperatorQuestions;
  /** Fetches a download of the browser, saves it in `folder` and returns the local path. */
  download(id: string, name: string, folder: string): Promise<string>;
}
