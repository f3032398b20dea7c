import type { PageIndex } from '../page/page-index.ts';
import type { AskedWord } from './asked-words.ts';
import type { RecordGroup } from './record-groups.ts';
import type { Segment } from './segment.ts';

/** The input for filling a schema. */
export interface Filling {
  readonly page: PageIndex;
  readonly instruction: string;
  /** The words of the instruction that must be explained. */
  readonly words: readonly AskedWord[];
  /** The part of the page to read. */
  readonly segment: Segment;
  /** True if the segment is one record, so that its heading is the record's name. */
  readonly isRecord: boolean;
  readonly groups: readonly RecordGroup[];
  /** Collects the paths of required fields that were not found, and unexplained words. */
  readonly missing: string[];
}
