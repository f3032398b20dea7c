import { similarity } from '../text/concepts.ts';
import type { RecordGroup } from './record-groups.ts';
import type { Segment } from './segment.ts';

const LEAST_COVERAGE = 0.6;
const SAME_WORD = 0.8;

/** The one record that an instruction names: "the price of the blue mug". */
export function recordNamed(groups: readonly RecordGroup[], words: readonly string[]): Segment | undefined {
  if (words.length === 0) return undefined;
  let best: { record: Segment; coverage: number } | undefined;
  let isAlone = true;
  for (const { records } of groups) {
    for (const record of records) {
      const coverage = coverageOf(record, words);
      if (coverage < LEAST_COVERAGE || (best && coverage < best.coverage)) continue;
      const isSame = best !== undefined && overlaps(best.record, record);
      isAlone = best === undefined || coverage > best.coverage || isSame;
      if (best && isSame && coverage === best.coverage && best.record.lines.length <= record.lines.length) continue;
      best = { record, coverage };
    }
  }
  return isAlone ? best?.record : undefined;
}

function overlaps(left: Segment, right: Segment): boolean {
  return left.lines.some((line) => right.lines.includes(line));
}

function coverageOf({ stems }: Segment, words: readonly string[]): number {
  const found = words.filter(
    (word) => stems.has(word) || [...stems].some((stem) => similarity(word, stem) >= SAME_WORD),
  );
  return found.length / words.length;
}
