import { RemoteApiError } from '../errors.ts';
import { isRecord } from '../util/is-record.ts';

export interface RemoteSession {
  readonly id: string;
  readonly isRunning: boolean;
  /** Why the session ended, if the platform reports it. */
  readonly endReason: string | undefined;
  readonly keepAlive: boolean;
  /** DevTools WebSocket URL, usually with a token. */
  readonly connectUrl: string | undefined;
  /** Page of the session on the provider's dashboard. */
  readonly sessionUrl: string | undefined;
  /** Page where a person can inspect the browser. */
  readonly debugUrl: string | undefined;
}

/** Throws a `RemoteApiError` if the response describes no session. */
export function readRemoteSession(answer: unknown): RemoteSession {
  const fields = isRecord(answer) ? answer : {};
  const { id } = fields;
  if (typeof id !== 'string')
    throw new RemoteApiError('The platform returned no session. Check that the URL points to a chauffeur platform.');
  return {
    id,
    isRunning: fields['status'] === 'RUNNING',
    endReason: text(fields['endReason']),
    keepAlive: fields['keepAlive'] === true,
    connectUrl: text(fields['connectUrl']),
    sessionUrl: text(fields['sessionUrl']),
    debugUrl: text(fields['debugUrl']),
  };
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
