import { onCurrentDocument } from '../cdp/on-current-document.ts';
import type { PageTarget } from '../cdp/page-target.ts';
import { DriverInvalidArgumentError } from '../errors.ts';
import { checkNumber, checkWholeNumber, describeValue } from '../util/check-argument.ts';
import type { Progress } from '../util/progress.ts';
import { withTimeout } from '../util/with-timeout.ts';

/** Size of a viewport in CSS pixels. */
export interface ViewportSize {
  readonly width: number;
  readonly height: number;
  /** Device pixels per CSS pixel; 0 uses the browser's screen. */
  readonly deviceScaleFactor: number;
}

/** Largest width and height that Chromium emulates. */
const LARGEST_SIDE = 10_000_000;
/** Maximum time in ms to wait for the layout. */
const RESIZE_MS = 1000;

export function checkViewportSize({ width, height, deviceScaleFactor }: ViewportSize): void {
  checkWholeNumber('width', width, { least: 1, most: LARGEST_SIDE });
  checkWholeNumber('height', height, { least: 1, most: LARGEST_SIDE });
  checkNumber('deviceScaleFactor', deviceScaleFactor);
  if (deviceScaleFactor < 0)
    throw new DriverInvalidArgumentError(
      `deviceScaleFactor must be 0 or more. Received ${describeValue(deviceScaleFactor)}.`,
      { argument: 'deviceScaleFactor' },
    );
}

/** Resolves once the document has been laid out at the new size, or after 1 s. */
export async function setViewportSize(progress: Progress, page: PageTarget, size: ViewportSize): Promise<void> {
  const resized = page.session.send('Emulation.setDeviceMetricsOverride', { ...size, mobile: false });
  page.setUp(resized);
  await progress.race(resized);
  await onCurrentDocument(progress, async () => {
    const world = await progress.race(page.frames.main.worlds.isolated);
    const laidOut = world.evaluate('new Promise((done) => requestAnimationFrame(() => done()))', null);
    await progress.race(withTimeout(RESIZE_MS, laidOut));
  });
}
