import { tagOf } from '../describe.ts';
import { mayHoldFrame } from '../frames.ts';
import type { QueryOutcome } from './outcome.ts';

/** Returns the result for a selector that continues in a frame if the element has no frame, or none yet. */
export function withoutFrame(element: Element): QueryOutcome {
  return mayHoldFrame(element)
    ? { kind: 'elements', elements: [], lacks: 'document' }
    : { kind: 'no-frame', tag: tagOf(element) };
}
