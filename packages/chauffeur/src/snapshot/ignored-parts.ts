import type { FrameNode } from '../cdp/frame-node.ts';
import type { PageTarget } from '../cdp/page-target.ts';
import type { Progress } from '../util/progress.ts';
import { followSelector } from './follow-selector.ts';
import { isXPath } from './selector-kind.ts';

/** The selectors of what is to be left out of a frame, each to be searched in that frame alone. */
export type IgnoredParts = (frame: FrameNode) => readonly string[];

/**
 * Where selectors of what is to be left out are to be searched: one that goes on in a frame in that frame, another
 * XPath in the main frame, whatever else in every frame.
 */
export async function ignoredParts(
  progress: Progress,
  page: PageTarget,
  selectors: readonly string[],
): Promise<IgnoredParts> {
  const places = await Promise.all(selectors.map((selector) => placeOf(progress, page, selector)));
  return (frame) =>
    places.flatMap((place) => (place.frame === undefined || place.frame === frame ? place.selector : []));
}

interface Place {
  readonly selector: string;
  /** Undefined for every frame. */
  readonly frame?: FrameNode;
}

async function placeOf(progress: Progress, page: PageTarget, selector: string): Promise<Place> {
  const { main } = page.frames;
  const ownPlace = isXPath(selector) ? { selector, frame: main } : { selector };
  if (!mayEnterFrame(selector)) return ownPlace;
  const { frame, rest } = await followSelector(progress, page, selector);
  return frame === main ? ownPlace : { selector: rest || WHOLE_DOCUMENT, frame };
}

const WHOLE_DOCUMENT = 'html';

/** Following a selector is a round trip, which most need not make. */
function mayEnterFrame(selector: string): boolean {
  return isXPath(selector) ? /\b(i?frame|object|embed)\b/i.test(selector) : selector.includes('>>');
}
