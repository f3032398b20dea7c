import type { Progress } from '../util/progress.ts';
import { DocumentGoneError, ProtocolError } from './protocol-error.ts';

/** The browser's own words for things of a document that is no more. */
const GONE = /(find|with) (given |the given )?(node|object|context|frame)|given id/i;

/** Does work that only looks at a page; anew, on the next document, when the one it looked at goes away meanwhile. */
export async function onCurrentDocument<T>(progress: Progress, work: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!isOfLostDocument(error)) throw error;
      progress.throwIfEnded();
      progress.log('the document was replaced meanwhile');
    }
  }
}

function isOfLostDocument(error: unknown): boolean {
  return error instanceof DocumentGoneError || (error instanceof ProtocolError && GONE.test(error.reason));
}
