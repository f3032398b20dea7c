/** Error code in responses and logs. Each code has one HTTP status. */
export type ErrorCode = keyof typeof STATUS_BY_CODE;

const STATUS_BY_CODE = {
  invalid_request: 400,
  unauthorized: 401,
  forbidden: 403,
  not_found: 404,
  session_not_found: 404,
  key_not_found: 404,
  idempotency_conflict: 409,
  session_ended: 410,
  body_too_large: 413,
  unsupported_media_type: 415,
  quota_exceeded: 429,
  rate_limited: 429,
  /** Only in logs and metrics: the client has disconnected. */
  client_closed: 499,
  internal: 500,
  browser_unreachable: 502,
  no_capacity: 503,
  shutting_down: 503,
  unavailable: 503,
} as const;

/** Error with a code and an HTTP status. Clients see the message, so it must not reveal internals. */
export class PlatformError extends Error {
  override readonly name = 'PlatformError';
  /** Machine-readable error code. */
  readonly code: ErrorCode;
  /** HTTP status for `code`, for example 404. */
  readonly status: number;
  /** Seconds after which a retry may succeed, sent as `Retry-After`. Undefined if a retry does not help. */
  readonly retryAfter: number | undefined;

  constructor(code: ErrorCode, message: string, options: { retryAfter?: number; cause?: unknown } = {}) {
    super(message, options.cause === undefined ? {} : { cause: options.cause });
    this.code = code;
    this.status = STATUS_BY_CODE[code];
    this.retryAfter = options.retryAfter;
  }
}

/**
 * Returns the message of a `PlatformError`'s cause, or else of the error itself. For logs only: clients must not see
 * causes.
 */
export function innerReasonOf(error: unknown): string {
  return reasonOf(error instanceof PlatformError ? (error.cause ?? error) : error);
}

/** Like `reasonOf`, but hides the messages of `JSON.parse`, which quote received data. */
export function faultOf(error: unknown): string {
  return error instanceof SyntaxError ? 'not valid JSON' : reasonOf(error);
}

export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
