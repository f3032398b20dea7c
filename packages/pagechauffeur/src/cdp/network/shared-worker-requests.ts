import type { Session } from '../session.ts';
import { type AttachedTarget, settleCommands } from './attached-target.ts';
import type { BrowserGate } from './browser-gate.ts';
import { type Interceptor, NOTHING } from './interceptor.ts';

/**
 * Intercepts requests of shared workers in the browser session. Chromium creates a shared worker's network access once,
 * often
 * before the driver sees the worker, and `Fetch.enable` on its session does not change it. To avoid pausing page
 * requests twice,
 * interception is active only while a shared worker exists.
 */
export class SharedWorkerRequests {
  readonly #gate: BrowserGate;
  readonly #workerIds = new Map<Session, string>();
  #interceptor: Interceptor | undefined;

  constructor(gate: BrowserGate) {
    this.#gate = gate;
  }

  /** Commands that set or remove the interceptor. */
  set(interceptor: Interceptor | undefined): Promise<unknown>[] {
    if (!interceptor && !this.#interceptor) return [];
    this.#interceptor = interceptor;
    return [this.#update()];
  }

  /** Commands for an attached shared worker. They must be answered before it runs. */
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

  /** For a worker's request, the browser puts the worker's id into the frame id. */
  #isOfWorker(frameId: string): boolean {
    return [...this.#workerIds.values()].includes(frameId);
  }
}
