import type { Session } from '../session.ts';
import { type AttachedTarget, settleCommands } from './attached-target.ts';
import { PausedRequest, type RequestChanges } from './paused-request.ts';

/** Looks at requests before they leave. */
export interface Interceptor {
  /** Patterns of the Fetch domain that take in every request it may want to see. */
  readonly patterns: readonly string[];
  /** Deals with a request, or hands it on, perhaps changed. */
  handle(request: PausedRequest, next: (changes: RequestChanges) => void): void;
}

/** A pattern that no address fits. */
const NOTHING = 'nothing:nothing';
/** Dedicated workers' requests are those of their page. */
const TYPES_WITH_REQUESTS: ReadonlySet<string> = new Set(['page', 'iframe', 'shared_worker', 'service_worker']);

/** Is told of requests that failed because the browser would not let them go as it was told. */
type FaultListener = (url: string, error: unknown) => void;

/** Shows the requests of pages to whoever asked for them; while nobody does, nothing is held up. */
export class Interception {
  readonly #onFault: FaultListener;
  readonly #targets = new Map<Session, AttachedTarget>();
  readonly #active = new Set<Session>();
  readonly #interceptorByPage = new Map<string, Interceptor>();
  #shared: Interceptor | undefined;

  constructor(onFault: FaultListener) {
    this.#onFault = onFault;
  }

  /** Shows the requests of a page, or of all when none is named, from now on; undefined ends it. */
  async set(pageId: string | undefined, interceptor: Interceptor | undefined): Promise<void> {
    if (pageId === undefined) this.#shared = interceptor;
    else if (interceptor) this.#interceptorByPage.set(pageId, interceptor);
    else this.#interceptorByPage.delete(pageId);
    const concerned = [...this.#targets.values()].filter((target) => pageId === undefined || target.pageId === pageId);
    await settleCommands(concerned.flatMap((target) => this.#update(target)));
  }

  /** Commands for a target that was attached to. */
  attach(target: AttachedTarget): Promise<unknown>[] {
    const { session, type } = target;
    if (!TYPES_WITH_REQUESTS.has(type)) return [];
    this.#targets.set(session, target);
    session.on('closed', () => {
      this.#targets.delete(session);
      this.#active.delete(session);
    });
    session.on('Fetch.requestPaused', (event) => this.#handle(target, new PausedRequest(session, event)));
    return this.#update(target);
  }

  /** Commands after which also documents that exist already send their requests past the browser's own gate. */
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
