/** Settings for repeated attempts of an operation that may hang. */
export interface ParallelTries<T> {
  /** Starts one attempt. */
  readonly attempt: (signal: AbortSignal) => Promise<T>;
  /** Milliseconds after which another attempt starts in parallel with those that have not ended. */
  readonly every: number;
  /** Maximum number of parallel attempts. */
  readonly most: number;
  /** True if another attempt may succeed now. */
  readonly mayBegin: () => Promise<boolean>;
  /** True if the other attempts continue after one failed with this error. */
  readonly isPassing: (error: unknown) => boolean;
  /** Undoes an attempt that succeeded after another one. */
  readonly undo: (result: T) => Promise<void>;
}

/** Resolves with the result of the first attempt that succeeds and aborts the others. Rejects if all fail. */
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
