import type { Progress } from '../util/progress.ts';
import { DocumentGoneError, ProtocolError } from './protocol-error.ts';

/** Errors for objects of a destroyed document. Chromium has no code for them. */
const GONE = /(find|with) (given |the given )?(node|object|context|frame)|given id/i;

/** Runs read-only work, and runs it again in the next document if the current one is replaced. */
export async function onCurrentDocument<T>(progress: Progress, work: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!isOfLostDocument(error)) throw error;
      progress.throwIfEnded();
      progress.log('the document was replaced; retrying in the new one');
    }
  }
}

function isOfLostDocument(error: unknown): boolean {
  return error instanceof DocumentGoneError || (error instanceof ProtocolError && GONE.test(error.reason));
}
