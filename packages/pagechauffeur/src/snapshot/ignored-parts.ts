import type { FrameNode } from '../cdp/frame-node.ts';
import type { PageTarget } from '../cdp/page-target.ts';
import { ContentFrameNotFoundError, DriverIframeError } from '../errors.ts';
import type { Progress } from '../util/progress.ts';
import { type Followed, followSelector } from './follow-selector.ts';
import { isAbsoluteXPath, isRootedXPath, isXPath } from './selector-kind.ts';

/** Returns the selectors to ignore in a frame. */
export type IgnoredParts = (frame: FrameNode) => readonly string[];

/**
 * Determines the frames in which each ignored selector applies. Most apply in every frame. A selector that enters a
 * frame applies only in that frame. An XPath of an element in the main frame applies only there.
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
  /** `undefined` means every frame, `null` means none. */
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
  // An XPath from the document root applies only to the main frame if it matches there.
  const isPlace = isAbsoluteXPath(selector) || (isRootedXPath(selector) && resolution?.kind === 'element');
  return isPlace ? { selector, frame: main } : { selector };
}

const WHOLE_DOCUMENT = 'html';

/**
 * Follows a selector. Returns `undefined` if it enters a frame without access to its document; it then ignores nothing.
 */
async function follow(progress: Progress, page: PageTarget, selector: string): Promise<Followed | undefined> {
  try {
    return await followSelector(progress, page, { selector });
  } catch (error) {
    if (error instanceof ContentFrameNotFoundError || error instanceof DriverIframeError) return undefined;
    throw error;
  }
}

/** True if a selector may enter a frame. Most do not, which saves the round trip of following them. */
function mayEnterFrame(selector: string): boolean {
  return isXPath(selector) ? /\b(i?frame|object|embed)\b/i.test(selector) : selector.includes('>>');
}
