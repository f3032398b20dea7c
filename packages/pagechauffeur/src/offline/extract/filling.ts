import type { PageIndex } from '../page/page-index.ts';
import type { AskedWord } from './asked-words.ts';
import type { RecordGroup } from './record-groups.ts';
import type { Segment } from './segment.ts';

/** Input for filling a schema. */
export interface Filling {
  readonly page: PageIndex;
  readonly instruction: string;
  /** Words of the instruction that must be explained. */
  readonly words: readonly AskedWord[];
  /** The part of the page to read. */
  readonly segment: Segment;
  /** The segment is one record, so its heading is the record's name. */
  readonly isRecord: boolean;
  readonly groups: readonly RecordGroup[];
  /** Paths of required fields that were not found, and unexplained words. */
  readonly missing: string[];
}
