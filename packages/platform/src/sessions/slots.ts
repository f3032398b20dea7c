import { PlatformError } from '../errors.ts';
import type { PartState } from '../reachability.ts';

/** Limits for running and queued sessions. */
export interface SlotLimits {
  /** Maximum number of sessions. */
  readonly capacity: number;
  /** Maximum number of sessions per project. */
  readonly perProject: number;
  /** Maximum number of queued requests per project. */
  readonly queuePerProject: number;
  /** How long a request may wait, in milliseconds. */
  readonly queueTimeout: number;
}

/**
 * Passes a request to the server whose place was taken. `begun`: its session started; `answered`: another answer was
 * sent; `unavailable`: no answer.
 */
export type PassOn = (address: string, place: string) => Promise<'begun' | 'answered' | 'unavailable'>;

/** The session that needs a place. */
export interface SlotRequest {
  /** Id of the place. */
  readonly id: string;
  readonly project: string;
  /** Missing if another server has forwarded the request here. Then only a place that was reserved here counts. */
  readonly passOn?: PassOn | undefined;
}

/** A reserved place. Only the first call has an effect. */
export interface Place {
  /** Frees the place for another session. */
  free(): void;
  /** Stops counting the place here: the server that takes over the session counts it. */
  leave(): void;
}

/** The places for sessions. Requests without a place are queued in order, but never behind another project's quota. */
export interface Slots {
  /** Reserved places and queued requests of this server. */
  readonly counts: { readonly taken: number; readonly waiting: number };
  /** Reachability of the counter. Undefined if this server counts. */
  readonly state?: PartState;
  /** True if it counts the places of all servers. */
  readonly isShared: boolean;
  /**
   * Reserves a place. Resolves with `undefined` if another server had one and has answered. Rejects with
   * `quota_exceeded` or `no_capacity`, with a retry time.
   */
  take(request: SlotRequest, signal: AbortSignal): Promise<Place | undefined>;
  /** Counts an existing session, even if no place is free. */
  hold(request: SlotRequest): Place;
  /** Offers the places of this server, under this URL, to requests on any server. */
  offer(address: string): void;
  /** Withdraws the offer. */
  withdraw(): Promise<void>;
  close(): Promise<void>;
}

/** Suggested retry time. Nobody knows when a tenant ends a session. */
const RETRY_AFTER_S = 5;

/** Returns the error for a request without a place: the project's quota or the capacity is used up. */
export function noPlace({ perProject }: SlotLimits, hasQuota: boolean): PlatformError {
  const advice = `Release a session, or try again in ${RETRY_AFTER_S} s.`;
  const again = { retryAfter: RETRY_AFTER_S };
  if (hasQuota) return new PlatformError('no_capacity', `No browser is available. ${advice}`, again);
  return new PlatformError(
    'quota_exceeded',
    `Your project already has its maximum of ${perProject} sessions. ${advice}`,
    again,
  );
}
