import { Emitter } from '../util/emitter.ts';
import type { EventParams } from './protocol.ts';
import { ReportingDomain } from './reporting-domain.ts';
import type { Session } from './session.ts';

interface ScriptReportEvents {
  console: { readonly session: Session; readonly call: EventParams<'Runtime.consoleAPICalled'> };
  thrown: EventParams<'Runtime.exceptionThrown'>;
}

/**
 * Console calls and uncaught exceptions of a page. Pages can detect the observation, because the browser then
 * serializes logged values: it calls `Error.prepareStackTrace`, and logging gets slower. So it is enabled only while
 * there is a listener.
 */
export class ScriptReports {
  readonly #events: Emitter<ScriptReportEvents> = new Emitter();
  /** By session. `undefined` while there is no listener. */
  readonly #sources = new Map<Session, ReportingDomain | undefined>();

  add(session: Session): void {
    this.#sources.set(session, undefined);
    session.on('closed', () => this.#sources.delete(session));
    session.on('Runtime.consoleAPICalled', (call) => {
      if (this.#sources.get(session)?.isNew) this.#events.emit('console', { session, call });
    });
    session.on('Runtime.exceptionThrown', (event) => {
      if (this.#sources.get(session)?.isNew) this.#events.emit('thrown', event);
    });
    if (this.#events.size > 0) this.#enable(session);
  }

  /** Calls the listener for reports of all processes of the page. Returns a function that removes it. */
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
