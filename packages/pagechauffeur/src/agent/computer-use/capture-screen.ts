import { createHash } from 'node:crypto';
import type { Box } from '../../injected/contract.ts';
import type { ModelImage } from '../../model/model-client.ts';
import type { Page } from '../../page/page.ts';
import type { Progress } from '../../util/progress.ts';
import { fittingSize, type ScreenshotLimits, type Screen, type Size } from './screen.ts';

/** A screenshot, with the sizes that map its pixels to the viewport. */
export interface ScreenCapture {
  readonly image: ModelImage;
  readonly screen: Screen;
  /** Hash of the image, to detect an unchanged screen. */
  readonly signature: string;
}

/** Takes a screenshot of the viewport, scaled down to the provider's limits. */
export async function captureScreen(progress: Progress, page: Page, limits: ScreenshotLimits): Promise<ScreenCapture> {
  const { cssLayoutViewport } = await progress.race(page.target.session.send('Page.getLayoutMetrics'));
  const viewport = { width: cssLayoutViewport.clientWidth, height: cssLayoutViewport.clientHeight };
  const scale = fittingSize(viewport, limits).width / viewport.width;
  const data = await page.screenshot({ scale, signal: progress.signal, timeout: progress.remaining });
  const picture = sizeOfPng(data);
  return {
    image: { data, mediaType: 'image/png' },
    // Computed from the image, because it can include scroll bars that `clientWidth` excludes.
    screen: { picture, viewport: { width: picture.width / scale, height: picture.height / scale } },
    signature: createHash('sha256').update(data).digest('base64url'),
  };
}

/** Takes an enlarged screenshot of `area`, with at most the size of the last whole screenshot. */
export async function captureView(
  progress: Progress,
  page: Page,
  { area, screen }: { readonly area: Box; readonly screen: Screen },
): Promise<ModelImage> {
  const scale = Math.min(screen.picture.width / area.width, screen.picture.height / area.height);
  const data = await page.screenshot({ clip: area, scale, signal: progress.signal, timeout: progress.remaining });
  return { data, mediaType: 'image/png' };
}

/** Reads width and height from the IHDR chunk (PNG specification, 5.2 and 11.2.1). */
function sizeOfPng(data: Buffer): Size {
  return { width: data.readUInt32BE(16), height: data.readUInt32BE(20) };
}
