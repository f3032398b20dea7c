import type { FrameNode } from './frame-node.ts';
import { ContentFrameNotFoundError, type DriverError, DriverIframeError } from '../errors.ts';
import type { LackingFrame } from '../injected/contract.ts';

/** Returns the error for a selector that enters a frame that is missing or has no document. */
export function lackingFrameError(lacks: LackingFrame, selector: string, callLog: readonly string[] = []): DriverError {
  return lacks === 'frame'
    ? new DriverIframeError(
        `${selector} enters a frame that is not on the page. The frame may have been removed; create the selector again.`,
        { callLog },
      )
    : new ContentFrameNotFoundError(`${selector} enters a frame, but the element it enters has no document.`, {
        selector,
        callLog,
      });
}

/** Returns the error for a selector that enters a frame whose document failed to load. */
export function unreachableFrameError(
  { url }: FrameNode,
  selector: string,
  callLog: readonly string[] = [],
): DriverError {
  return new DriverIframeError(
    `${selector} enters a frame whose document could not be loaded: the browser shows an error page instead of ${url}. The site may forbid frames, a policy may refuse the address, or the server may be down.`,
    { callLog },
  );
}

/** Returns the error for a selector that enters a frame that does not respond. */
export function silentFrameError({ url }: FrameNode, selector: string, callLog: readonly string[] = []): DriverError {
  return new DriverIframeError(
    `${selector} enters the frame ${url || 'without a URL'}, which does not respond: its scripts keep it busy, or its process hangs.`,
    { callLog },
  );
}
