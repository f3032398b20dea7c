import type { Session } from '../session.ts';
import { type AttachedTarget, settleCommands } from './attached-target.ts';
import type { BrowserGate } from './browser-gate.ts';
import { type Interceptor, NOTHING } from './interceptor.ts';

/**
 * Intercepts requests of shared workers in the browser session. `Fetch.enable` in the worker's session has no effect,
 * because Chromium sets up the network access of a shared worker once, often before the driver sees it. Active only
 * while there is a shared worker. Otherwise the requests of pages would be paused twice.
 */
export class SharedWorkerRequests {
  readonly #gate: BrowserGate;
  readonly #workerIds = new Map<Session, string>();
  #interceptor: Interceptor | undefined;

  constructor(gate: BrowserGate) {
    this.#gate = gate;
  }

  /** Sends the commands that set the interceptor or, with `undefined`, remove it. Returns their replies. */
  set(interceptor: Interceptor | undefined): Promise<unknown>[] {
    if (!interceptor && !this.#interceptor) return [];
    this.#interceptor = interceptor;
    return [this.#update()];
  }

  /** Sends the commands for a new shared worker. Await their replies before the worker runs. */
  attach({ session, targetId }: AttachedTarget): Promise<unknown>[] {
    this.#workerIds.set(session, targetId);
    session.on('closed', () => {
      this.#workerIds.delete(session);
      if (this.#interceptor && this.#workerIds.size === 0) void settleCommands([this.#update()]);
    });
    return this.#interceptor ? [this.#update()] : [];
  }

  #update(): Promise<unknown> {
    const interceptor = this.#interceptor;
    if (!interceptor) return this.#gate.setInterceptor(undefined);
    return this.#gate.setInterceptor({
      patterns: this.#workerIds.size > 0 ? interceptor.patterns : [NOTHING],
      handle: (request, next) => {
        if (this.#isOfWorker(request.event.frameId)) interceptor.handle(request, next);
        else next({});
      },
    });
  }

  /** In a shared worker's request, the browser uses the worker's id as the frame id. */
  #isOfWorker(frameId: string): boolean {
    return [...this.#workerIds.values()].includes(frameId);
  }
}
