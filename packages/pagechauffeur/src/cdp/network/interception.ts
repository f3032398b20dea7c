import type { Session } from '../session.ts';
import { type AttachedTarget, settleCommands } from './attached-target.ts';
import type { BrowserGate } from './browser-gate.ts';
import { type Interceptor, NOTHING } from './interceptor.ts';
import { PausedRequest, type RequestChanges } from './paused-request.ts';
import { SharedWorkerRequests } from './shared-worker-requests.ts';

/**
 * Targets whose session reports their requests. The requests of dedicated workers are reported by the page's session.
 */
const TYPES_WITH_REQUESTS: ReadonlySet<string> = new Set(['page', 'iframe', 'service_worker']);

/** Called for a request that failed because the browser rejected the command that should continue or fulfill it. */
type FaultListener = (url: string, error: unknown) => void;

/** Passes the requests of pages to interceptors. Without an interceptor, no request is paused. */
export class Interception {
  readonly #onFault: FaultListener;
  readonly #sharedWorkers: SharedWorkerRequests;
  readonly #targets = new Map<Session, AttachedTarget>();
  readonly #active = new Set<Session>();
  readonly #interceptorByPage = new Map<string, Interceptor>();
  #shared: Interceptor | undefined;

  constructor(gate: BrowserGate, onFault: FaultListener) {
    this.#sharedWorkers = new SharedWorkerRequests(gate);
    this.#onFault = onFault;
  }

  /** Sets the interceptor of one page or, without `pageId`, of all pages. `undefined` removes it. */
  async set(pageId: string | undefined, interceptor: Interceptor | undefined): Promise<void> {
    if (pageId === undefined) this.#shared = interceptor;
    else if (interceptor) this.#interceptorByPage.set(pageId, interceptor);
    else this.#interceptorByPage.delete(pageId);
    const concerned = [...this.#targets.values()].filter((target) => pageId === undefined || target.pageId === pageId);
    await settleCommands([
      ...(pageId === undefined ? this.#sharedWorkers.set(interceptor) : []),
      ...concerned.flatMap((target) => this.#update(target)),
    ]);
  }

  /** Sends the commands for a new target, and returns their replies. */
  attach(target: AttachedTarget): Promise<unknown>[] {
    const { session, type } = target;
    if (type === 'shared_worker') return this.#sharedWorkers.attach(target);
    if (!TYPES_WITH_REQUESTS.has(type)) return [];
    this.#targets.set(session, target);
    session.on('closed', () => {
      this.#targets.delete(session);
      this.#active.delete(session);
    });
    session.on('Fetch.requestPaused', (event) => this.#handle(target, new PausedRequest(session, event)));
    return this.#update(target);
  }

  /** Makes existing documents send their requests through the browser-level gate. Returns the replies. */
  renew({ session, type }: AttachedTarget): Promise<unknown>[] {
    if (!TYPES_WITH_REQUESTS.has(type) || this.#active.has(session)) return [];
    return [session.send('Fetch.enable', { patterns: [{ urlPattern: NOTHING }] }), session.send('Fetch.disable')];
  }

  #update(target: AttachedTarget): Promise<unknown>[] {
    const { session } = target;
    const patterns = new Set(this.#interceptors(target).flatMap((interceptor) => interceptor.patterns));
    if (patterns.size > 0) {
      this.#active.add(session);
      return [session.send('Fetch.enable', { patterns: [...patterns].map((urlPattern) => ({ urlPattern })) })];
    }
    return this.#active.delete(session) ? [session.send('Fetch.disable')] : [];
  }

  #interceptors({ pageId }: AttachedTarget): Interceptor[] {
    const own = pageId === undefined ? undefined : this.#interceptorByPage.get(pageId);
    return [own, this.#shared].filter((interceptor) => interceptor !== undefined);
  }

  #handle(target: AttachedTarget, request: PausedRequest): void {
    const interceptors = this.#interceptors(target);
    const next = (changes: RequestChanges): void => {
      const interceptor = interceptors.shift();
      if (interceptor) interceptor.handle(request, (more) => next({ ...changes, ...more }));
      else request.continue(changes).catch((error: unknown) => this.#onFault(request.url, error));
    };
    next({});
  }
}
