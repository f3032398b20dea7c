/** Both indexes are inclusive. */
export interface OptionRange {
  readonly from: number;
  readonly to: number;
}

/** Shorter runs are listed one by one. */
const SHORTEST_RANGE = 4;
const NUMBER = /^\d{1,9}$/;

/**
 * Consecutive numbers, such as `1` to `31` or `2026` to `1920`, form one range. Every other option is a range of one.
 */
export function optionRanges(options: readonly string[]): readonly OptionRange[] {
  const ranges: OptionRange[] = [];
  for (let from = 0; from < options.length;) {
    const end = endOfRun(options, from);
    const to = end - from + 1 < SHORTEST_RANGE ? from : end;
    ranges.push({ from, to });
    from = to + 1;
  }
  return ranges;
}

/** Returns the last index of numbers that all increase, or all decrease, by one. */
function endOfRun(options: readonly string[], from: number): number {
  const step = stepBetween(options[from], options[from + 1]);
  let end = from;
  if (step !== null) while (stepBetween(options[end], options[end + 1]) === step) end += 1;
  return end;
}

/** Returns 1 or -1 for consecutive numbers with the same zero padding: `09` follows `08`, `9` does not. */
function stepBetween(label: string | undefined, next: string | undefined): 1 | -1 | null {
  if (label === undefined || next === undefined || !NUMBER.test(label) || !NUMBER.test(next)) return null;
  if (isPadded(label) !== isPadded(next) && label.length !== next.length) return null;
  const step = Number(next) - Number(label);
  return step === 1 || step === -1 ? step : null;
}

function isPadded(label: string): boolean {
  return label.length > 1 && label.startsWith('0');
}
