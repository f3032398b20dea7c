import { PlatformError } from '../errors.ts';
import type { PartState } from '../reachability.ts';

/** Limits for running and queued sessions. */
export interface SlotLimits {
  readonly capacity: number;
  readonly perProject: number;
  readonly queuePerProject: number;
  /** How long a request may wait, in milliseconds. */
  readonly queueTimeout: number;
}

/**
 * Forwards a request to the server whose slot was taken. `begun`: that server has started the session; `answered`: it
 * sent another response; `unavailable`: it did not respond or sent status 503.
 */
export type ForwardRequest = (address: string, place: string) => Promise<'begun' | 'answered' | 'unavailable'>;

export interface SlotRequest {
  /** Session id. Also identifies the slot. */
  readonly id: string;
  readonly project: string;
  /** Missing if another server forwarded the request here. Then only a slot that is already reserved here counts. */
  readonly forwardRequest?: ForwardRequest | undefined;
}

/** A reserved session slot. The first call to either method ends the reservation. */
export interface Place {
  /** Frees the slot for another session. */
  free(): void;
  /** Stops counting the slot on this server. The server that adopts the session counts it. */
  leave(): void;
}

/** Slots for sessions. Requests without a slot wait in order, but never behind another project's quota. */
export interface Slots {
  /** Reserved slots and queued requests of this server. */
  readonly counts: { readonly taken: number; readonly waiting: number };
  /** Reachability of Redis. Undefined if this server counts in memory. */
  readonly state?: PartState;
  /** True if the slots of all servers are counted together. */
  readonly isShared: boolean;
  /**
   * Reserves a slot. Resolves with `undefined` if another server took over the request and has responded. Rejects with
   * `quota_exceeded` or `no_capacity` when the queue is full or the wait is over.
   */
  take(request: SlotRequest, signal: AbortSignal): Promise<Place | undefined>;
  /** Counts an adopted session, even if all slots are taken. */
  hold(request: SlotRequest): Place;
  /** Lets requests on other servers use this server's slots. `address` is the URL of this server. */
  offer(address: string): void;
  withdraw(): Promise<void>;
  close(): Promise<void>;
}

/** Sent as `Retry-After`. Nothing tells when a session will end. */
const RETRY_AFTER_S = 5;

/**
 * Returns the error for a request without a slot. `hasQuota`: the project is within its quota, so the capacity is used
 * up.
 */
export function noCapacity({ perProject }: SlotLimits, hasQuota: boolean): PlatformError {
  const advice = `Release a session, or try again in ${RETRY_AFTER_S} s.`;
  const again = { retryAfter: RETRY_AFTER_S };
  if (hasQuota) return new PlatformError('no_capacity', `No browser is available. ${advice}`, again);
  return new PlatformError(
    'quota_exceeded',
    `Your project already has its maximum of ${perProject} sessions. ${advice}`,
    again,
  );
}
