/** How something is tried that may hang. */
export interface ParallelTries<T> {
  /** One try. */
  readonly attempt: (signal: AbortSignal) => Promise<T>;
  /** Milliseconds after which another try begins beside those that have not ended. */
  readonly every: number;
  /** Tries at once, at most. */
  readonly most: number;
  /** Whether another try has a chance now. */
  readonly mayBegin: () => Promise<boolean>;
  /** Whether the other tries go on when one fails with this error. */
  readonly isPassing: (error: unknown) => boolean;
  /** Undoes a try that succeeded after another one had. */
  readonly undo: (result: T) => Promise<void>;
}

/** The result of the first try that succeeds; the others are aborted. Rejects when all have failed. */
export async function firstOfTries<T>(tries: ParallelTries<T>, signal: AbortSignal): Promise<T> {
  const { attempt, every, most, mayBegin, isPassing, undo } = tries;
  const decided = new AbortController();
  const either = AbortSignal.any([signal, decided.signal]);
  const { promise: first, resolve, reject } = Promise.withResolvers<T>();
  let open = 0;
  const begin = async (): Promise<void> => {
    open += 1;
    try {
      const result = await attempt(either);
      if (decided.signal.aborted) return await undo(result);
      decided.abort();
      resolve(result);
    } catch (error) {
      if (open === 1 || !isPassing(error)) reject(error);
    } finally {
      open -= 1;
    }
  };
  const beginAnother = async (): Promise<void> => {
    if (open < most && (await mayBegin()) && open > 0 && !either.aborted) await begin();
  };
  const timer = setInterval(() => void beginAnother().catch(reject), every);
  try {
    void begin();
    return await first;
  } finally {
    clearInterval(timer);
    decided.abort();
  }
}
