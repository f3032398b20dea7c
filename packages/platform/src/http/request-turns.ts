import type { FastifyInstance } from 'fastify';

/** Requests that start in one turn of the event loop. 20 take a few milliseconds. */
const MAX_PER_TURN = 20;

/**
 * Starts requests in the order of arrival, 20 per turn of the event loop. Node.js accepts one connection per turn, so a
 * flood of requests would otherwise delay new clients by up to a minute.
 */
export function spreadRequests(app: FastifyInstance): void {
  const turns = new RequestTurns();
  app.addHook('onRequest', async ({ raw }, reply) => {
    await turns.next();
    return raw.socket.destroyed ? reply.hijack() : undefined;
  });
}

/** A queue that lets 20 callers continue in each turn of the event loop. */
export class RequestTurns {
  #begun = 0;
  #waiting: (() => void)[] = [];
  #isScheduled = false;

  /** Resolves when the caller may continue: immediately unless 20 others have started in this turn. */
  async next(): Promise<void> {
    this.#schedule();
    if (this.#begun < MAX_PER_TURN) {
      this.#begun += 1;
      return;
    }
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#waiting.push(resolve);
    await promise;
  }

  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(() => this.#startTurn());
  }

  #startTurn(): void {
    this.#isScheduled = false;
    const ready = this.#waiting.slice(0, MAX_PER_TURN);
    this.#waiting = this.#waiting.slice(MAX_PER_TURN);
    this.#begun = ready.length;
    if (this.#begun > 0) this.#schedule();
    for (const resolve of ready) resolve();
  }
}
