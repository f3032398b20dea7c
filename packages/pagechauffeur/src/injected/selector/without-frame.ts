import { tagOf } from '../describe.ts';
import { mayHoldFrame } from '../frames.ts';
import type { QueryOutcome } from './outcome.ts';

/** The outcome if a selector continues in a frame, but the element holds none or none yet. */
export function withoutFrame(element: Element): QueryOutcome {
  return mayHoldFrame(element)
    ? { kind: 'elements', elements: [], lacks: 'document' }
    : { kind: 'no-frame', tag: tagOf(element) };
}
