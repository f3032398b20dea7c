import { DriverError } from '../errors.ts';

/** The browser refused a command. Callers that expect this handle it; others rethrow. */
export class ProtocolError extends DriverError {
  override readonly name: string = 'ProtocolError';
  override readonly code = 'PROTOCOL';
  readonly method: string;
  /** The browser's error message. */
  readonly reason: string;

  constructor(method: string, reason: string) {
    super(`The browser rejected ${method}: ${reason}`);
    this.method = method;
    this.reason = reason;
  }
}

/** The document was replaced or removed during a call. */
export class DocumentGoneError extends DriverError {
  override readonly name: string = 'DocumentGoneError';
  override readonly code = 'DOCUMENT_GONE';
}
