import type { PageIndex } from '../page/page-index.ts';
import type { AskedWord } from './asked-words.ts';
import type { RecordGroup } from './record-groups.ts';
import type { Segment } from './segment.ts';

/** What a filling goes by. */
export interface Filling {
  readonly page: PageIndex;
  readonly instruction: string;
  /** The words of the instruction that must be accounted for. */
  readonly words: readonly AskedWord[];
  /** The part of the page that is read. */
  readonly segment: Segment;
  /** The part is one record, so its heading is its name. */
  readonly isRecord: boolean;
  readonly groups: readonly RecordGroup[];
  /** Paths of required fields that were not found, and words that nothing accounts for. */
  readonly missing: string[];
}
