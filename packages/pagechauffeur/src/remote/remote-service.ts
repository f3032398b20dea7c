import type { SessionEvent } from './event-sender.ts';
import type { OperatorQuestions } from './operator-questions.ts';
import type { RemoteSession } from './remote-session.ts';

/** A provider of browsers: the chauffeur platform or another service. */
export interface RemoteService {
  /** True if the link protocol can resume connections. */
  readonly hasLinks: boolean;
  /** Creates a session. */
  create(parameters: object, signal: AbortSignal): Promise<RemoteSession>;
  /**
   * Returns a running session.
   * @throws RemoteSessionNotFoundError if it does not run.
   */
  find(id: string, signal?: AbortSignal): Promise<RemoteSession>;
  /** Sets whether a session outlives its clients. */
  keepAlive(session: RemoteSession, keepAlive: boolean, signal: AbortSignal): Promise<RemoteSession>;
  /** Ends a session and its browser. Does nothing if it has ended. */
  release(session: RemoteSession): Promise<void>;
  /** Sends events of a session. Undefined if the service has no event log. */
  tell?(id: string, events: readonly SessionEvent[]): Promise<void>;
  /** Asks the operators of a session. Undefined if the service has no operators. */
  readonly operators?: OperatorQuestions;
  /** Downloads a file from a session into a local folder and returns its path. */
  download(id: string, name: string, folder: string): Promise<string>;
}
