import { DocumentGoneError, ProtocolError } from './protocol-error.ts';
import type { Session } from './session.ts';

// The browser's own words for "this context is no more"; there are no codes for them.
const CONTEXT_GONE =
  /Cannot find context|context was destroyed|Inspected target navigated|Cannot find (default )?execution context/i;

/** Gives the browser's answer; its word for a document that went away becomes a `DocumentGoneError`. */
export async function orDocumentGone<T>(session: Session, answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    if (isContextGone(error) || session.isLostFrame)
      throw new DocumentGoneError('The document went away while it was being worked on.', { cause: error });
    throw error;
  }
}

function isContextGone(error: unknown): boolean {
  return error instanceof ProtocolError && CONTEXT_GONE.test(error.reason);
}
