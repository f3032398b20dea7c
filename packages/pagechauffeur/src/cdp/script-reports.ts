import { Emitter } from '../util/emitter.ts';
import type { EventParams } from './protocol.ts';
import { ReportingDomain } from './reporting-domain.ts';
import type { Session } from './session.ts';

interface ScriptReportEvents {
  console: { readonly session: Session; readonly call: EventParams<'Runtime.consoleAPICalled'> };
  thrown: EventParams<'Runtime.exceptionThrown'>;
}

/**
 * What the scripts of a page report: console calls and exceptions that nothing caught. A page can notice that they are
 * listened to: the browser then looks at what is logged (`Error.prepareStackTrace` is called, logging takes longer).
 * So it is done only while somebody needs them.
 */
export class ScriptReports {
  readonly #events: Emitter<ScriptReportEvents> = new Emitter();
  /** The sessions of the page; each has its domain while somebody listens. */
  readonly #sources = new Map<Session, ReportingDomain | undefined>();

  /** Takes in a session of the page. */
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

  /** Calls the listener on every such report, from all processes of the page, until the returned function is called. */
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
