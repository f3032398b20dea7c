import { createHash } from 'node:crypto';
import type { Box } from '../../injected/contract.ts';
import type { ModelImage } from '../../model/model-client.ts';
import type { Page } from '../../page/page.ts';
import type { Progress } from '../../util/progress.ts';
import { fittingSize, type ScreenshotLimits, type Screen, type Size } from './screen.ts';

/** A picture of what a page shows, with what its points stand for. */
export interface ScreenCapture {
  readonly image: ModelImage;
  readonly screen: Screen;
  /** Equal for pictures that are. */
  readonly sign: string;
}

/** Takes a picture of a page's viewport that keeps within the limits. */
export async function captureScreen(progress: Progress, page: Page, limits: ScreenshotLimits): Promise<ScreenCapture> {
  const { cssLayoutViewport } = await progress.race(page.target.session.send('Page.getLayoutMetrics'));
  const viewport = { width: cssLayoutViewport.clientWidth, height: cssLayoutViewport.clientHeight };
  const scale = fittingSize(viewport, limits).width / viewport.width;
  const data = await page.screenshot({ scale, signal: progress.signal, timeout: progress.remaining });
  const picture = sizeOfPng(data);
  return {
    image: { data, mediaType: 'image/png' },
    // The picture itself says how much of the viewport is on it: bars for scrolling may be, or not.
    screen: { picture, viewport: { width: picture.width / scale, height: picture.height / scale } },
    sign: createHash('sha256').update(data).digest('base64url'),
  };
}

/** Takes a picture of a part of the viewport, as large as fits into the pictures of the whole. */
export async function captureView(
  progress: Progress,
  page: Page,
  { area, screen }: { readonly area: Box; readonly screen: Screen },
): Promise<ModelImage> {
  const scale = Math.min(screen.picture.width / area.width, screen.picture.height / area.height);
  const data = await page.screenshot({ clip: area, scale, signal: progress.signal, timeout: progress.remaining });
  return { data, mediaType: 'image/png' };
}

/** A PNG's size stands behind its signature and the head of its first chunk (PNG specification, 5.2 and 11.2.1). */
function sizeOfPng(data: Buffer): Size {
  return { width: data.readUInt32BE(16), height: data.readUInt32BE(20) };
}
