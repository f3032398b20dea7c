import type { PausedRequest, RequestChanges } from './paused-request.ts';

/** Looks at requests before they leave. */
export interface Interceptor {
  /** Patterns of the Fetch domain that take in every request it may want to see. */
  readonly patterns: readonly string[];
  /** Deals with a request, or hands it on, perhaps changed. */
  handle(request: PausedRequest, next: (changes: RequestChanges) => void): void;
}

/** A pattern that no address fits. */
export const NOTHING = 'nothing:nothing';
