import { ignoreRejection } from '../util/deferred.ts';
import type { Session } from './session.ts';

/**
 * A CDP domain that repeats earlier reports of the current document when it is enabled. Reports are new after the
 * response to `enable`, and after a navigation.
 */
export class ReportingDomain {
  readonly #session: Session;
  readonly #name: 'Log' | 'Runtime';
  readonly #stopWatching: () => void;
  #isNew = false;

  constructor(session: Session, name: 'Log' | 'Runtime') {
    this.#session = session;
    this.#name = name;
    this.#stopWatching = session.on('Page.frameNavigated', ({ frame }) => {
      if (frame.parentId === undefined) this.#isNew = true;
    });
    const enabled = session.sendInOrder(`${name}.enable`, () => {
      this.#isNew = true;
    });
    enabled.catch(ignoreRejection);
  }

  /** True if a report that arrives now is new. */
  get isNew(): boolean {
    return this.#isNew;
  }

  disable(): void {
    this.#stopWatching();
    this.#isNew = false;
    if (!this.#session.isClosed) this.#session.send(`${this.#name}.disable`).catch(ignoreRejection);
  }
}
