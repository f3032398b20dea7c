let readingDepth = 0;
let reading = 0;

/**
 * Runs a synchronous read of the page. Memoised functions cache their results until it ends, because the page cannot
 * change during it.
 */
export function duringReading<T>(read: () => T): T {
  if (readingDepth === 0) reading += 1;
  readingDepth += 1;
  try {
    return read();
  } finally {
    readingDepth -= 1;
  }
}

/** Caches the results of a function during a reading. Outside a reading, it calls the function each time. */
export function memoised<K extends object, V>(compute: (key: K) => V): (key: K) => V {
  let answers = new Map<K, V>();
  let owner = 0;
  let last: { readonly key: K; readonly answer: V } | null = null;
  return (key) => {
    if (readingDepth === 0) return compute(key);
    if (owner !== reading) {
      answers = new Map();
      last = null;
      owner = reading;
    }
    // Callers often ask for the same document, row or parent several times in a row.
    if (last !== null && last.key === key) return last.answer;
    last = { key, answer: answerFor(key, answers, compute) };
    return last.answer;
  };
}

function answerFor<K, V>(key: K, answers: Map<K, V>, compute: (key: K) => V): V {
  const known = answers.get(key);
  if (known !== undefined || answers.has(key)) return known as V;
  const answer = compute(key);
  answers.set(key, answer);
  return answer;
}
