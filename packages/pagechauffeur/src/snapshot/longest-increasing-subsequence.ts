/** Returns the indexes of a longest increasing subsequence. Skips negative numbers. */
export function longestIncreasingSubsequence(numbers: readonly number[]): ReadonlySet<number> {
  /** For each length, the index of the lowest number that ends a subsequence of this length. */
  const ends: number[] = [];
  const before = new Int32Array(numbers.length).fill(-1);
  for (const [index, number] of numbers.entries()) {
    if (number < 0) continue;
    const length = firstNotBelow(ends, (end) => (numbers[end] ?? 0) >= number);
    before[index] = ends[length - 1] ?? -1;
    ends[length] = index;
  }
  const indexes = new Set<number>();
  for (let index = ends.at(-1) ?? -1; index >= 0; index = before[index] ?? -1) indexes.add(index);
  return indexes;
}

function firstNotBelow(ends: readonly number[], isNotBelow: (end: number) => boolean): number {
  let [low, high] = [0, ends.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (isNotBelow(ends[middle] ?? 0)) high = middle;
    else low = middle + 1;
  }
  return low;
}
