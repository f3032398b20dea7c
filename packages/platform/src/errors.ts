/** Machine-readable reason of a refusal. Each code has one status. */
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
  /** Appears only in logs and metrics, because the client is gone. */
  client_closed: 499,
  internal: 500,
  browser_unreachable: 502,
  no_capacity: 503,
  shutting_down: 503,
  unavailable: 503,
} as const;

/** A refused request. The message goes to the client, so it reveals nothing internal. */
export class PlatformError extends Error {
  override readonly name = 'PlatformError';
  /** Machine-readable reason. */
  readonly code: ErrorCode;
  /** The HTTP status of the code. */
  readonly status: number;
  /** Seconds after which a retry makes sense. */
  readonly retryAfter: number | undefined;

  constructor(code: ErrorCode, message: string, options: { retryAfter?: number; cause?: unknown } = {}) {
    super(message, options.cause === undefined ? {} : { cause: options.cause });
    this.code = code;
    this.status = STATUS_BY_CODE[code];
    this.retryAfter = options.retryAfter;
  }
}

/** Returns the reason for the log, which the client does not see. */
export function innerReasonOf(error: unknown): string {
  return reasonOf(error instanceof PlatformError ? (error.cause ?? error) : error);
}

/**
 * Returns the reason to log for an error that a message caused. Omits errors of `JSON.parse`, because they quote the message.
 */
export function faultOf(error: unknown): string {
  return error instanceof SyntaxError ? 'not valid JSON' : reasonOf(error);
}

/** Returns the message of a thrown value. */
export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
