import type { SessionEvent } from './event-sender.ts';
import type { PersonQuestions } from './person-question.ts';
import type { RemoteSession } from './remote-session.ts';

/** Who rents out browsers, as the driver needs it: our own platform, or a service of another shape. */
export interface RemoteService {
  /** Whether a connection outlives its socket, by the link protocol. */
  readonly hasLinks: boolean;
  /** Rents a browser. */
  create(parameters: object, signal: AbortSignal): Promise<RemoteSession>;
  /** A session that runs; a `RemoteSessionNotFoundError` when it does not. */
  find(id: string, signal?: AbortSignal): Promise<RemoteSession>;
  /** Says whether a session outlives its clients. */
  keepAlive(session: RemoteSession, keepAlive: boolean, signal: AbortSignal): Promise<RemoteSession>;
  /** Ends a session and its browser; one that has ended stays so. */
  release(session: RemoteSession): Promise<void>;
  /** Tells what a driver does in a session; undefined where nobody would see it. */
  tell?(id: string, events: readonly SessionEvent[]): Promise<void>;
  /** Asks the people who look at a session; undefined where nobody would see it. */
  readonly people?: PersonQuestions;
  /** Brings a file that the browser of a session downloaded into a folder here, and gives its path. */
  download(id: string, name: string, folder: string): Promise<string>;
}
