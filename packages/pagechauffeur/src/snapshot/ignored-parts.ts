import type { FrameNode } from '../cdp/frame-node.ts';
import type { PageTarget } from '../cdp/page-target.ts';
import { ContentFrameNotFoundError, DriverIframeError } from '../errors.ts';
import type { Progress } from '../util/progress.ts';
import { type Followed, followSelector } from './follow-selector.ts';
import { isAbsoluteXPath, isRootedXPath, isXPath } from './selector-kind.ts';

/** The selectors of what is to be left out of a frame, each to be searched in that frame alone. */
export type IgnoredParts = (frame: FrameNode) => readonly string[];

/**
 * Where selectors of what is to be left out are to be searched: in every frame, but for one that goes on in a frame, and for
 * an XPath that names a place in the main frame.
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
  /** Undefined for every frame, null for none. */
  readonly frame?: FrameNode | null;
}

async function placeOf(progress: Progress, page: PageTarget, selector: string): Promise<Place> {
  const { main } = page.frames;
  const mayBeElsewhere = mayEnterFrame(selector);
  if (isAbsoluteXPath(selector) && !mayBeElsewhere) return { selector, frame: main };
  if (!mayBeElsewhere && !isRootedXPath(selector)) return { selector };
  const followed = await follow(progress, page, selector);
  if (followed === undefined) return { selector, frame: null };
  const { frame, rest, resolution } = followed;
  if (frame !== main) return { selector: rest || WHOLE_DOCUMENT, frame };
  // A path from the root names a place in the main frame, if there is one.
  const isPlace = isAbsoluteXPath(selector) || (isRootedXPath(selector) && resolution?.kind === 'element');
  return isPlace ? { selector, frame: main } : { selector };
}

const WHOLE_DOCUMENT = 'html';

/** What goes on in a frame that cannot be asked leaves out nothing. */
async function follow(progress: Progress, page: PageTarget, selector: string): Promise<Followed | undefined> {
  try {
    return await followSelector(progress, page, { selector });
  } catch (error) {
    if (error instanceof ContentFrameNotFoundError || error instanceof DriverIframeError) return undefined;
    throw error;
  }
}

/** Following a selector is a round trip, which most need not make. */
function mayEnterFrame(selector: string): boolean {
  return isXPath(selector) ? /\b(i?frame|object|embed)\b/i.test(selector) : selector.includes('>>');
}
