import type { PageIndex } from '../page/page-index.ts';
import type { InstructionWord } from './instruction-words.ts';
import type { RecordGroup } from './record-groups.ts';
import type { Segment } from './segment.ts';

/** State for filling a schema, or a part of it, from a part of the page. */
export interface Filling {
  readonly page: PageIndex;
  readonly instruction: string;
  /** Words in the instruction that must match the page. */
  readonly words: readonly InstructionWord[];
  readonly segment: Segment;
  /** True if the segment is a single record. Its heading is then the name of the record. */
  readonly isRecord: boolean;
  readonly groups: readonly RecordGroup[];
  /** Collects paths of required fields without a value, and unmatched words, for the error message. */
  readonly missing: string[];
}
