import { DriverError } from '../errors.ts';

/** The browser refused a command. Callers that expect a refusal handle it; others let it rise. */
export class ProtocolError extends DriverError {
  override readonly name: string = 'ProtocolError';
  override readonly code = 'PROTOCOL';
  readonly method: string;
  /** The browser's own words. */
  readonly reason: string;

  constructor(method: string, reason: string) {
    super(`The browser refused ${method}: ${reason}`);
    this.method = method;
    this.reason = reason;
  }
}

/** The document that a call ran in went away while it ran: a navigation, or its frame was removed. */
export class DocumentGoneError extends DriverError {
  override readonly name: string = 'DocumentGoneError';
  override readonly code = 'DOCUMENT_GONE';
}
