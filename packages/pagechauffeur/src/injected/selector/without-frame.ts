import { tagOf } from '../describe.ts';
import { mayHoldFrame } from '../frames.ts';
import type { QueryOutcome } from './outcome.ts';

/** The outcome for a selector that goes on in the document of an element that holds no frame, or none yet. */
export function withoutFrame(element: Element): QueryOutcome {
  return mayHoldFrame(element)
    ? { kind: 'elements', elements: [], lacks: 'document' }
    : { kind: 'no-frame', tag: tagOf(element) };
}
