import type { Progress } from '../util/progress.ts';
import { DocumentGoneError, ProtocolError } from './protocol-error.ts';

/** The browser's messages for objects of a destroyed document. */
const GONE = /(find|with) (given |the given )?(node|object|context|frame)|given id/i;

/** Runs read-only work on a page. Runs it again on the next document if the current one goes away. */
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
