import type { FrameNode } from '../cdp/frame-node.ts';
import { ContentFrameNotFoundError, type DriverError, DriverIframeError } from '../errors.ts';
import type { LackingFrame } from '../injected/contract.ts';

/** Error for a selector that continues in a missing frame, or in a frame without a document. */
export function lackingFrameError(lacks: LackingFrame, selector: string, callLog: readonly string[] = []): DriverError {
  return lacks === 'frame'
    ? new DriverIframeError(
        `${selector} goes on in a frame that the page does not have. It may have left the page; take the selector anew.`,
        { callLog },
      )
    : new ContentFrameNotFoundError(`${selector} goes on in a frame, but the element there holds no document.`, {
        selector,
        callLog,
      });
}

/** Error for a selector that continues in a frame whose document failed to load. */
export function unreachableFrameError(
  { url }: FrameNode,
  selector: string,
  callLog: readonly string[] = [],
): DriverError {
  return new DriverIframeError(
    `${selector} goes on in a frame whose document could not be loaded: the browser shows an error page instead of ${url}. The site may forbid frames, a policy may refuse the address, or the server may be down.`,
    { callLog },
  );
}

/** Error for a selector that continues in a frame that does not answer. */
export function silentFrameError({ url }: FrameNode, selector: string, callLog: readonly string[] = []): DriverError {
  return new DriverIframeError(
    `${selector} goes on in the frame ${url || 'without an address'}, which does not answer: its scripts keep it busy, or its process hangs.`,
    { callLog },
  );
}
