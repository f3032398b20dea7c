import type { Session } from '../session.ts';
import { type AttachedTarget, settleCommands } from './attached-target.ts';
import type { BrowserGate } from './browser-gate.ts';
import { type Interceptor, NOTHING } from './interceptor.ts';

/**
 * Shows the requests of shared workers, which their own sessions cannot: Chromium makes such a worker's ways to the
 * network once, often before anybody hears of the worker, and `Fetch.enable` on its session changes none that exists.
 * On the browser's session it is in time. What it stands for there may change later, so pages are not held up a second
 * time while there is no such worker.
 */
export class SharedWorkerRequests {
  readonly #gate: BrowserGate;
  readonly #workerIds = new Map<Session, string>();
  #interceptor: Interceptor | undefined;

  constructor(gate: BrowserGate) {
    this.#gate = gate;
  }

  /** Commands that show requests to this one from now on, or to none. */
  set(interceptor: Interceptor | undefined): Promise<unknown>[] {
    if (!interceptor && !this.#interceptor) return [];
    this.#interceptor = interceptor;
    return [this.#update()];
  }

  /** Commands for a shared worker that was attached to; they have to be answered before it runs. */
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

  /** The browser names a worker in the place where it names the frame of a page's request. */
  #isOfWorker(frameId: string): boolean {
    return [...this.#workerIds.values()].includes(frameId);
  }
}
