import type { FrameNode } from './frame-node.ts';
import { ContentFrameNotFoundError, type DriverError, DriverIframeError } from '../errors.ts';
import type { LackingFrame } from '../injected/contract.ts';

export function lackingFrameError(lacks: LackingFrame, selector: string, callLog: readonly string[] = []): DriverError {
  return lacks === 'frame'
    ? new DriverIframeError(
        `${selector} enters a frame that is not on the page. The frame may have been removed; create the selector again.`,
        { callLog },
      )
    : new ContentFrameNotFoundError(
        `${selector} enters an element that has no document. Enter an iframe, frame or object element that has loaded.`,
        {
          selector,
          callLog,
        },
      );
}

export function unreachableFrameError(
  { url }: FrameNode,
  selector: string,
  callLog: readonly string[] = [],
): DriverError {
  return new DriverIframeError(
    `${selector} enters a frame that failed to load ${url}: the browser shows an error page in it. Open the URL with page.goto() to see the reason. If the URL loads there, the server does not allow it in a frame.`,
    { callLog },
  );
}

export function silentFrameError({ url }: FrameNode, selector: string, callLog: readonly string[] = []): DriverError {
  return new DriverIframeError(
    `${selector} enters the frame ${url || 'without a URL'}, which does not respond. Wait until its scripts have finished, or reload the page.`,
    { callLog },
  );
}
