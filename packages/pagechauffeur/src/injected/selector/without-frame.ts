import { tagOf } from '../element/describe.ts';
import { mayHoldFrame } from '../tree/frames.ts';
import type { QueryOutcome } from './outcome.ts';

/** Returns why the selector cannot continue in a frame: the document is missing, or the element is not a frame. */
export function withoutFrame(element: Element): QueryOutcome {
  return mayHoldFrame(element)
    ? { kind: 'elements', elements: [], lacks: 'document' }
    : { kind: 'no-frame', tag: tagOf(element) };
}
