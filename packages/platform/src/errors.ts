/** Why a request is refused, as programs read it. Each goes with one status. */
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
  internal: 500,
  browser_unreachable: 502,
  no_capacity: 503,
  shutting_down: 503,
  unavailable: 503,
} as const;

/** A request that is refused. The message is for whoever sent it, so it tells nothing of the inside. */
export class PlatformError extends Error {
  override readonly name = 'PlatformError';
  /** Why, as programs read it. */
  readonly code: ErrorCode;
  /** The HTTP status that goes with it. */
  readonly status: number;
  /** Seconds after which it is worth trying again. */
  readonly retryAfter: number | undefined;

  constructor(code: ErrorCode, message: string, options: { retryAfter?: number; cause?: unknown } = {}) {
    super(message, options.cause === undefined ? {} : { cause: options.cause });
    this.code = code;
    this.status = STATUS_BY_CODE[code];
    this.retryAfter = options.retryAfter;
  }
}

/** What the log is told of an error: what a refusal keeps from whoever it goes to. */
export function innerReasonOf(error: unknown): string {
  return reasonOf(error instanceof PlatformError ? (error.cause ?? error) : error);
}

/** The reason to log for an error that a message caused. Errors of `JSON.parse` quote the message, so they are left out. */
export function faultOf(error: unknown): string {
  return error instanceof SyntaxError ? 'not valid JSON' : reasonOf(error);
}

/** What an error says; anything can be thrown. */
export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
