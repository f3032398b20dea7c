import { RemoteApiError } from '../errors.ts';
import { isRecord } from '../util/is-record.ts';

/** A browser rented from the platform. */
export interface RemoteSession {
  readonly id: string;
  /** Whether its browser runs. */
  readonly isRunning: boolean;
  /** Why it does not, where the platform says so. */
  readonly endReason: string | undefined;
  readonly keepAlive: boolean;
  /** DevTools socket of its browser, with a token that does not last. */
  readonly connectUrl: string | undefined;
  /** Its page on the dashboard. */
  readonly sessionUrl: string | undefined;
  /** Where its browser can be looked into. */
  readonly debugUrl: string | undefined;
}

/** Reads what the platform says of a session. */
export function readRemoteSession(answer: unknown): RemoteSession {
  const told = isRecord(answer) ? answer : {};
  const { id } = told;
  if (typeof id !== 'string')
    throw new RemoteApiError('The platform answered without a session. Is it the address of a chauffeur platform?');
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
