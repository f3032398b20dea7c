export interface ParallelTries<T> {
  readonly attempt: (signal: AbortSignal) => Promise<T>;
  /** Milliseconds between the starts of two attempts. */
  readonly every: number;
  /** Maximum number of parallel attempts. */
  readonly most: number;
  /** Called before each further attempt. False skips it. */
  readonly mayBegin: () => Promise<boolean>;
  /** True if other attempts may still succeed after this error. */
  readonly isTemporary: (error: unknown) => boolean;
  /** Undoes an attempt that succeeded too late. */
  readonly undo: (result: T) => Promise<void>;
}

/**
 * Resolves with the first successful attempt and aborts the others. Rejects when the last running attempt fails, or
 * immediately on an error for which `isTemporary` returns false.
 */
export async function firstOfTries<T>(tries: ParallelTries<T>, signal: AbortSignal): Promise<T> {
  const { attempt, every, most, mayBegin, isTemporary, undo } = tries;
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
      if (open === 1 || !isTemporary(error)) reject(error);
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
