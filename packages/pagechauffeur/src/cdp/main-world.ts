import { DocumentGoneError } from './protocol-error.ts';
import type { Session } from './session.ts';
import { evaluateForUser } from './user-evaluation.ts';
import type { RemoteHandle } from './world.ts';

/**
 * The world of a document's own scripts. That of the topmost frame of a session needs no id: the browser takes it where
 * none is given, whichever document is there.
 */
export class MainWorld {
  readonly session: Session;
  readonly #contextId: number | undefined;
  #isGone = false;

  constructor(session: Session, contextId?: number) {
    this.session = session;
    this.#contextId = contextId;
  }

  /** Evaluates an expression or calls a function given as source text with a user's values, after the receiver if there is one; what comes back is a value. */
  evaluate(source: string, args: readonly unknown[] | null, receiver?: RemoteHandle): Promise<unknown> {
    if (this.#isGone) return Promise.reject(new DocumentGoneError('The document has gone away.'));
    return evaluateForUser(
      { session: this.session, contextId: this.#contextId, receiverId: receiver?.objectId },
      source,
      args,
    );
  }

  /** The document as a handle. Pages cannot put anything else in the place of `document`, so they do not notice. */
  async document(objectGroup: string): Promise<RemoteHandle> {
    const { session } = this;
    const contextId = this.#contextId;
    const asked = { expression: 'document', objectGroup, ...(contextId !== undefined && { contextId }) };
    const { result } = await session.send('Runtime.evaluate', asked);
    return { objectId: result.objectId ?? '' };
  }

  /** The document has gone away. */
  end(): void {
    this.#isGone = true;
  }
}
