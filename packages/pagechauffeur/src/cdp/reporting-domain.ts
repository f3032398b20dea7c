import { ignoreRejection } from '../util/deferred.ts';
import type { Session } from './session.ts';

/**
 * A domain of the protocol that, when it is turned on, first repeats what was reported before. What comes after the answer
 * is news; so is all of a document that comes before the answer, since the browser repeats only what is of the current one.
 */
export class ReportingDomain {
  readonly #session: Session;
  readonly #name: 'Log' | 'Runtime';
  readonly #stopWatching: () => void;
  #isNews = false;

  /** Turns the domain on. */
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

  /** Whether a report that comes now was not there before the domain was turned on. */
  get isNews(): boolean {
    return this.#isNews;
  }

  /** Turns the domain off. */
  disable(): void {
    this.#stopWatching();
    this.#isNews = false;
    if (!this.#session.isClosed) this.#session.send(`${this.#name}.disable`).catch(ignoreRejection);
  }
}
