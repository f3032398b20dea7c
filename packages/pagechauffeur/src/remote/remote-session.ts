import { RemoteApiError } from '../errors.ts';
import { isRecord } from '../util/is-record.ts';

export interface RemoteSession {
  readonly id: string;
  readonly isRunning: boolean;
  /** Why the session ended, if the platform reports it. */
  readonly endReason: string | undefined;
  readonly keepAlive: boolean;
  /** DevTools WebSocket URL with a short-lived token. */
  readonly connectUrl: string | undefined;
  /** Page of the session on the platform's dashboard. */
  readonly sessionUrl: string | undefined;
  /** Page where a person can inspect the browser. */
  readonly debugUrl: string | undefined;
}

/** Throws a `RemoteApiError` if the response describes no session. */
export function readRemoteSession(answer: unknown): RemoteSession {
  const told = isRecord(answer) ? answer : {};
  const { id } = told;
  if (typeof id !== 'string')
    throw new RemoteApiError('The platform returned no session. Check that the URL points to a chauffeur platform.');
  return {
    id,
    isRunning: told['status'] === 'RUNNING',
    endReason: text(told['endReason']),
    keepAlive: told['keepAlive'] === true,
    connectUrl: text(told['connectUrl']),
    sessionUrl: text(told['sessionUrl']),
    debugUrl: text(told['debugUrl']),
  };
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
