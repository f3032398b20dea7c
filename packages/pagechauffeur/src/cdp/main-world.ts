import { DocumentGoneError } from './protocol-error.ts';
import type { Session } from './session.ts';
import { evaluateForUser } from './user-evaluation.ts';
import type { RemoteHandle } from './world.ts';

/**
 * The world of the page's own scripts. The topmost frame of a session needs no context id: the browser uses the current
 * document's.
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
   * Evaluates source code: an expression, or a function that is called with the user's values. The receiver, if any, is
   * the first argument. Returns the result by value.
   */
  evaluate(source: string, args: readonly unknown[] | null, receiver?: RemoteHandle): Promise<unknown> {
    if (this.#isGone) return Promise.reject(new DocumentGoneError('The document was replaced or removed.'));
    return evaluateForUser(
      { session: this.session, contextId: this.#contextId, receiverId: receiver?.objectId },
      source,
      args,
    );
  }

  /** Returns a handle of `document`. Pages cannot redefine `document`, so they cannot notice. */
  async document(objectGroup: string): Promise<RemoteHandle> {
    const { session } = this;
    const contextId = this.#contextId;
    const asked = { expression: 'document', objectGroup, ...(contextId !== undefined && { contextId }) };
    const { result } = await session.send('Runtime.evaluate', asked);
    return { objectId: result.objectId ?? '' };
  }

  /** The document is gone. */
  end(): void {
    this.#isGone = true;
  }
}
