import { Emitter } from '../util/emitter.ts';
import type { EventParams } from './protocol.ts';
import { ReportingDomain } from './reporting-domain.ts';
import type { Session } from './session.ts';

interface ScriptReportEvents {
  console: { readonly session: Session; readonly call: EventParams<'Runtime.consoleAPICalled'> };
  thrown: EventParams<'Runtime.exceptionThrown'>;
}

/**
 * Console calls and uncaught exceptions of a page. Pages can detect that they are observed, because the browser then
 * serializes
 * logged values (`Error.prepareStackTrace` is called, logging is slower). So it is enabled only while a listener
 * exists.
 */
export class ScriptReports {
  readonly #events: Emitter<ScriptReportEvents> = new Emitter();
  /** The page's sessions. A session has a domain while a listener exists. */
  readonly #sources = new Map<Session, ReportingDomain | undefined>();

  /** Adds a session of the page. */
  add(session: Session): void {
    this.#sources.set(session, undefined);
    session.on('closed', () => this.#sources.delete(session));
    session.on('Runtime.consoleAPICalled', (call) => {
      if (this.#sources.get(session)?.isNews) this.#events.emit('console', { session, call });
    });
    session.on('Runtime.exceptionThrown', (event) => {
      if (this.#sources.get(session)?.isNews) this.#events.emit('thrown', event);
    });
    if (this.#events.size > 0) this.#enable(session);
  }

  /** Calls the listener for each report of any of the page's processes. Returns a function that removes it. */
  on<E extends keyof ScriptReportEvents>(event: E, listener: (report: ScriptReportEvents[E]) => void): () => void {
    if (this.#events.size === 0) for (const session of this.#sources.keys()) this.#enable(session);
    const stop = this.#events.on(event, listener);
    return () => {
      stop();
      if (this.#events.size === 0) for (const session of this.#sources.keys()) this.#disable(session);
    };
  }

  #enable(session: Session): void {
    this.#sources.set(session, new ReportingDomain(session, 'Runtime'));
  }

  #disable(session: Session): void {
    this.#sources.get(session)?.disable();
    this.#sources.set(session, undefined);
  }
}
