import { pause } from '../util/pause.ts';
import type { Progress } from '../util/progress.ts';
import { backendNodeIdOf } from './element-handle.ts';
import type { FoundElement } from './element-query.ts';

/** An RGBA color: `r`, `g` and `b` from 0 to 255, `a` (opacity) from 0 to 1, default 1. */
export interface HighlightColor {
  r: number;
  g: number;
  b: number;
  a?: number;
}

/** Options of `locator.highlight()`. */
export interface HighlightOptions {
  /** Duration in milliseconds; default 800. */
  durationMs?: number;
  borderColor?: HighlightColor;
  contentColor?: HighlightColor;
}

const DEFAULT_DURATION_MS = 800;
const DEFAULT_BORDER = { r: 255, g: 0, b: 0, a: 0.9 };
const DEFAULT_CONTENT = { r: 255, g: 200, b: 0, a: 0.2 };

/** Shows the DevTools overlay on the element for `durationMs`. The page cannot detect the overlay. */
export async function highlightElement(
  progress: Progress,
  found: FoundElement,
  { durationMs = DEFAULT_DURATION_MS, borderColor, contentColor }: HighlightOptions,
): Promise<void> {
  const { session } = found.world;
  const backendNodeId = await backendNodeIdOf(progress, found);
  await progress.race(Promise.all([session.sendOnce('DOM.enable'), session.sendOnce('Overlay.enable')]));
  await progress.race(
    session.send('Overlay.highlightNode', {
      backendNodeId,
      highlightConfig: {
        showInfo: false,
        borderColor: borderColor ?? DEFAULT_BORDER,
        contentColor: contentColor ?? DEFAULT_CONTENT,
      },
    }),
  );
  try {
    await pause(progress, durationMs);
  } finally {
    await session.send('Overlay.hideHighlight');
  }
}
