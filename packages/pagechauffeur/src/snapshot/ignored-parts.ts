import type { FrameNode } from '../cdp/frame-node.ts';
import type { PageTarget } from '../cdp/page-target.ts';
import { ContentFrameNotFoundError, DriverIframeError } from '../errors.ts';
import type { Progress } from '../util/progress.ts';
import { type Followed, followSelector } from './follow-selector.ts';
import { isAbsoluteXPath, isRootedXPath, isXPath } from './xpaths.ts';

export type IgnoredParts = (frame: FrameNode) => readonly string[];

/**
 * Most ignored selectors apply in every frame. A selector that enters a frame applies only in that frame, and an XPath
 * from the root only in the main frame if it matches there.
 */
export async function ignoredParts(
  progress: Progress,
  page: PageTarget,
  selectors: readonly string[],
): Promise<IgnoredParts> {
  const scoped = await Promise.all(selectors.map((selector) => scopeOf(progress, page, selector)));
  return (frame) => scoped.flatMap((one) => (one.frame === undefined || one.frame === frame ? one.selector : []));
}

interface ScopedSelector {
  readonly selector: string;
  /** `undefined` means every frame, `null` means none. */
  readonly frame?: FrameNode | null;
}

async function scopeOf(progress: Progress, page: PageTarget, selector: string): Promise<ScopedSelector> {
  const { main } = page.frames;
  const mayBeElsewhere = mayEnterFrame(selector);
  if (isAbsoluteXPath(selector) && !mayBeElsewhere) return { selector, frame: main };
  if (!mayBeElsewhere && !isRootedXPath(selector)) return { selector };
  const followed = await follow(progress, page, selector);
  if (followed === undefined) return { selector, frame: null };
  const { frame, rest, resolution } = followed;
  if (frame !== main) return { selector: rest || WHOLE_DOCUMENT, frame };
  // An XPath from the document root applies only to the main frame if it matches there.
  const isOnlyInMain = isAbsoluteXPath(selector) || (isRootedXPath(selector) && resolution?.kind === 'element');
  return isOnlyInMain ? { selector, frame: main } : { selector };
}

const WHOLE_DOCUMENT = 'html';

/** Returns undefined if the selector enters a frame that cannot be used. The selector then ignores nothing. */
async function follow(progress: Progress, page: PageTarget, selector: string): Promise<Followed | undefined> {
  try {
    return await followSelector(progress, page, { selector });
  } catch (error) {
    if (error instanceof ContentFrameNotFoundError || error instanceof DriverIframeError) return undefined;
    throw error;
  }
}

/** Most selectors cannot enter a frame. This check saves them a round trip. */
function mayEnterFrame(selector: string): boolean {
  return isXPath(selector) ? /\b(i?frame|object|embed)\b/i.test(selector) : selector.includes('>>');
}
