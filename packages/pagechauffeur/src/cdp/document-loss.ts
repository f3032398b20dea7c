import { DocumentGoneError, ProtocolError } from './protocol-error.ts';
import type { Session } from './session.ts';

// Chromium reports a destroyed context only in the message, without an error code.
const CONTEXT_GONE =
  /Cannot find context|context was destroyed|Inspected target navigated|Cannot find (default )?execution context/i;

/** Converts the browser's error for a destroyed document to a `DocumentGoneError`. */
export async function orDocumentGone<T>(session: Session, answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    if (isContextGone(error) || session.isLostFrame)
      throw new DocumentGoneError('The document was replaced or removed during the call.', { cause: error });
    throw error;
  }
}

function isContextGone(error: unknown): boolean {
  return error instanceof ProtocolError && CONTEXT_GONE.test(error.reason);
}
