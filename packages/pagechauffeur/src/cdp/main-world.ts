import { DocumentGoneError } from './protocol-error.ts';
import type { Session } from './session.ts';
import { evaluateForUser } from './user-evaluation.ts';
import type { RemoteHandle } from './world.ts';

/**
 * The world of the page's own scripts. Without a context id, the browser uses the current document of the session's
 * topmost frame.
 */
export class MainWorld {
  readonly session: Session;
  readonly #contextId: number | undefined;
  #isGone = false;

  constructor(session: Session, contextId?: number) {
    this.session = session;
    this.#contextId = contextId;
  }

  /**
   * Evaluates an expression, or a function that is called with `args`. A receiver becomes the first argument. Returns
   * the result by value.
   */
  evaluate(source: string, args: readonly unknown[] | null, receiver?: RemoteHandle): Promise<unknown> {
    if (this.#isGone) return Promise.reject(new DocumentGoneError('The document was replaced or removed.'));
    return evaluateForUser(
      { session: this.session, contextId: this.#contextId, receiverId: receiver?.objectId },
      source,
      args,
    );
  }

  /** Returns a handle for `document`, which pages cannot redefine, so they cannot detect this. */
  async document(objectGroup: string): Promise<RemoteHandle> {
    const { session } = this;
    const contextId = this.#contextId;
    const params = { expression: 'document', objectGroup, ...(contextId !== undefined && { contextId }) };
    const { result } = await session.send('Runtime.evaluate', params);
    return { objectId: result.objectId ?? '' };
  }

  /** Call when the document is gone. Later calls reject. */
  end(): void {
    this.#isGone = true;
  }
}
