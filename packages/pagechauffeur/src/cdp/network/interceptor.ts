import type { PausedRequest, RequestChanges } from './paused-request.ts';

/** Handles requests before they are sent. See `PausedRequest`. */
export interface Interceptor {
  /** Patterns for `Fetch.enable` that cover every request that may be handled. */
  readonly patterns: readonly string[];
  /** Fulfills or fails the request, or calls `next`, optionally with changes. */
  handle(request: PausedRequest, next: (changes: RequestChanges) => void): void;
}

export const NOTHING = 'nothing:nothing';
