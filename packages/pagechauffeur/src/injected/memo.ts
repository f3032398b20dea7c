let readDepth = 0;
/** Each function clears a cache that the current reading filled. */
let resets: (() => void)[] = [];

/** Runs a synchronous read. The page cannot change meanwhile, so memoised functions cache results until it ends. */
export function withReadCache<T>(read: () => T): T {
  readDepth += 1;
  try {
    return read();
  } finally {
    readDepth -= 1;
    if (readDepth === 0) endRead();
  }
}

export function isReading(): boolean {
  return readDepth > 0;
}

// A cache that outlives the reading would keep removed elements in memory.
function endRead(): void {
  for (const reset of resets) reset();
  resets = [];
}

/** Caches results until the current `withReadCache` ends. Outside of one, caches nothing. */
export function memoised<K extends object, V>(compute: (key: K) => V): (key: K) => V {
  let answers: Map<K, V> | null = null;
  let lastKey: K | null = null;
  let lastAnswer: V | null = null;
  const reset = (): void => {
    answers = null;
    lastKey = lastAnswer = null;
  };
  return (key) => {
    if (readDepth === 0) return compute(key);
    // Callers often pass the same document, row or parent several times in a row.
    if (lastKey === key) return lastAnswer as V;
    if (answers === null) {
      answers = new Map();
      resets.push(reset);
    }
    const answer = answerFor(key, answers, compute);
    lastKey = key;
    lastAnswer = answer;
    return answer;
  };
}

function answerFor<K, V>(key: K, answers: Map<K, V>, compute: (key: K) => V): V {
  const known = answers.get(key);
  if (known !== undefined || answers.has(key)) return known as V;
  const answer = compute(key);
  answers.set(key, answer);
  return answer;
}
