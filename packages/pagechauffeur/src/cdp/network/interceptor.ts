import type { PausedRequest, RequestChanges } from './paused-request.ts';

/** Handles requests before they are sent. */
export interface Interceptor {
  /** Fetch patterns that cover all requests the interceptor may want. */
  readonly patterns: readonly string[];
  /** Answers the request or passes it on, optionally changed. */
  handle(request: PausedRequest, next: (changes: RequestChanges) => void): void;
}

/** A pattern that matches no URL. */
export const NOTHING = 'nothing:nothing';
