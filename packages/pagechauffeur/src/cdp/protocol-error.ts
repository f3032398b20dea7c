import { DriverError } from '../errors.ts';

/** The browser rejected a command. */
export class ProtocolError extends DriverError {
  override readonly name: string = 'ProtocolError';
  override readonly code = 'PROTOCOL';
  readonly method: string;
  readonly reason: string;

  constructor(method: string, reason: string) {
    super(`The browser rejected ${method}: ${reason}`);
    this.method = method;
    this.reason = reason;
  }
}

/** The document was replaced or removed during a call. `publicError` converts this error. */
export class DocumentGoneError extends DriverError {
  override readonly name: string = 'DocumentGoneError';
  override readonly code = 'DOCUMENT_GONE';
}
