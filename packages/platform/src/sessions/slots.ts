import { PlatformError } from '../errors.ts';
import type { PartState } from '../reachability.ts';

/** How many sessions may live and wait. */
export interface SlotLimits {
  /** Sessions of all projects at once. */
  readonly capacity: number;
  /** Sessions of one project at once. */
  readonly perProject: number;
  /** Requests of one project that may wait. */
  readonly queuePerProject: number;
  /** Milliseconds that a request waits at most. */
  readonly queueTimeout: number;
}

/** Passes a request to the server whose place was taken. `begun`: its session began; `answered`: with another answer; `unavailable`: no answer. */
export type PassOn = (address: string, place: string) => Promise<'begun' | 'answered' | 'unavailable'>;

/** The session that a place is for. */
export interface SlotRequest {
  /** Id of the place. */
  readonly id: string;
  readonly project: string;
  /** Not given if another server has passed the request here: then only a place that was taken here counts. */
  readonly passOn?: PassOn | undefined;
}

/** A place that is taken. Only the first call counts. */
export interface Place {
  /** Another session may have it now. */
  free(): void;
  /** It is not counted here any more: whoever goes on with the session counts it. */
  leave(): void;
}

/** The places for sessions. Who finds none waits a while, in turn, but behind no other project's quota. */
export interface Slots {
  /** Places in use, and requests that wait; those of this server. */
  readonly counts: { readonly taken: number; readonly waiting: number };
  /** Whether what counts them can be reached; undefined where that is this server. */
  readonly state?: PartState;
  /** True if it counts the places of all servers. */
  readonly isShared: boolean;
  /** Takes a place. Returns `undefined` if another server had one and has answered. Throws `quota_exceeded` or `no_capacity`, with the time to try again. */
  take(request: SlotRequest, signal: AbortSignal): Promise<Place | undefined>;
  /** Counts a session that lives already, whether or not there is a place. */
  hold(request: SlotRequest): Place;
  /** Offers the places of this server, which others reach at this address, to requests at any server. */
  offer(address: string): void;
  /** Withdraws the offer. */
  withdraw(): Promise<void>;
  close(): Promise<void>;
}

/** Seconds after which a place may be free; nobody knows when a tenant ends a session. */
const RETRY_AFTER_S = 5;

/** Refuses a request that has found no place: because its project has its share, or because there is none. */
export function noPlace({ perProject }: SlotLimits, hasQuota: boolean): PlatformError {
  const advice = `Release a session, or try again in ${RETRY_AFTER_S} s.`;
  const again = { retryAfter: RETRY_AFTER_S };
  if (hasQuota) return new PlatformError('no_capacity', `No browser is free. ${advice}`, again);
  return new PlatformError('quota_exceeded', `Your project has its ${perProject} sessions at once. ${advice}`, again);
}
