import { ignoreRejection } from '../util/deferred.ts';
import type { Session } from './session.ts';

/**
 * A CDP domain that first repeats earlier reports when it is enabled. Reports after the answer are new. So are reports
 * of a
 * different document before the answer, because the browser repeats only those of the current document.
 */
export class ReportingDomain {
  readonly #session: Session;
  readonly #name: 'Log' | 'Runtime';
  readonly #stopWatching: () => void;
  #isNews = false;

  /** Enables the domain. */
  constructor(session: Session, name: 'Log' | 'Runtime') {
    this.#session = session;
    this.#name = name;
    this.#stopWatching = session.on('Page.frameNavigated', ({ frame }) => {
      if (frame.parentId === undefined) this.#isNews = true;
    });
    const enabled = session.sendInOrder(`${name}.enable`, () => {
      this.#isNews = true;
    });
    enabled.catch(ignoreRejection);
  }

  /** True if a report that arrives now was made after the domain was enabled. */
  get isNews(): boolean {
    return this.#isNews;
  }

  /** Disables the domain. */
  disable(): void {
    this.#stopWatching();
    this.#isNews = false;
    if (!this.#session.isClosed) this.#session.send(`${this.#name}.disable`).catch(ignoreRejection);
  }
}
