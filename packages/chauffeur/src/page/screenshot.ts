import type { PageTarget } from '../cdp/page-target.ts';
import type { Params } from '../cdp/protocol.ts';
import { DriverInvalidArgumentError } from '../errors.ts';
import type { Box } from '../injected/contract.ts';
import {
  checkFlag,
  checkNumber,
  checkOneOf,
  checkOptions,
  checkString,
  checkWholeNumber,
  describeValue,
} from '../util/check-argument.ts';
import type { CallOptions, Progress } from '../util/progress.ts';
import { savePicture } from './save-picture.ts';

/** How to take a picture. */
export interface ScreenshotOptions extends CallOptions {
  /** File type; default `png`. */
  type?: 'png' | 'jpeg';
  /** 0 to 100, for `jpeg` only. */
  quality?: number;
  /** The whole page instead of what the viewport shows; default false. */
  fullPage?: boolean;
  /** A part of the page, in CSS pixels of the viewport. */
  clip?: Box;
  /** Leaves out the page's white ground, so that it can be transparent; default false. */
  omitBackground?: boolean;
  /** Also writes the picture to this file. */
  path?: string;
}

/** Takes a picture of what a page shows. */
export async function captureScreenshot(
  progress: Progress,
  page: PageTarget,
  options: ScreenshotOptions,
): Promise<Buffer> {
  const { type = 'png', quality, path } = options;
  checkScreenshotOptions(options);
  const area = await captureArea(progress, page, options);
  await setBackground(page, options, true);
  try {
    const { data } = await progress.race(
      page.session.send('Page.captureScreenshot', {
        format: type,
        ...(quality === undefined ? {} : { quality }),
        ...area,
      }),
    );
    const picture = Buffer.from(data, 'base64');
    if (path !== undefined) await savePicture(path, picture);
    return picture;
  } finally {
    await setBackground(page, options, false);
  }
}

/** Throws when an option of a screenshot is wrong. */
export function checkScreenshotOptions(options: ScreenshotOptions | undefined): void {
  checkOptions(options);
  const { type = 'png', quality, fullPage, clip, omitBackground, path } = options ?? {};
  checkOneOf('type', type, ['png', 'jpeg']);
  checkFlag('fullPage', fullPage);
  checkFlag('omitBackground', omitBackground);
  if (path !== undefined) checkString('path', path);
  if (quality !== undefined && type === 'png')
    throw new DriverInvalidArgumentError('quality is for jpeg pictures; a png has none.', { argument: 'quality' });
  if (quality !== undefined) checkWholeNumber('quality', quality, { least: 0, most: 100 });
  if (clip !== undefined) checkClip(clip);
  if (fullPage && clip)
    throw new DriverInvalidArgumentError('Give either fullPage or clip, not both.', { argument: 'clip' });
}

function checkClip(clip: Box): void {
  if (typeof clip !== 'object' || clip === null)
    throw new DriverInvalidArgumentError(`clip must be an object; it is ${describeValue(clip)}.`, { argument: 'clip' });
  for (const side of ['x', 'y', 'width', 'height'] as const) checkNumber(`clip.${side}`, clip[side]);
  for (const side of ['width', 'height'] as const) {
    if (clip[side] <= 0)
      throw new DriverInvalidArgumentError(`clip.${side} must be more than 0; it is ${describeValue(clip[side])}.`, {
        argument: `clip.${side}`,
      });
  }
}

type Area = Pick<Params<'Page.captureScreenshot'> & object, 'clip' | 'captureBeyondViewport'>;

async function captureArea(progress: Progress, page: PageTarget, { fullPage, clip }: ScreenshotOptions): Promise<Area> {
  if (!fullPage && !clip) return {};
  const { cssContentSize, cssVisualViewport } = await progress.race(page.session.send('Page.getLayoutMetrics'));
  if (clip) {
    const { pageX, pageY } = cssVisualViewport;
    return {
      clip: { x: clip.x + pageX, y: clip.y + pageY, width: clip.width, height: clip.height, scale: 1 },
      captureBeyondViewport: true,
    };
  }
  return {
    clip: { x: 0, y: 0, width: cssContentSize.width, height: cssContentSize.height, scale: 1 },
    captureBeyondViewport: true,
  };
}

async function setBackground(
  page: PageTarget,
  { omitBackground }: ScreenshotOptions,
  isOmitted: boolean,
): Promise<void> {
  if (!omitBackground || page.isClosed) return;
  await page.session.send(
    'Emulation.setDefaultBackgroundColorOverride',
    isOmitted ? { color: { r: 0, g: 0, b: 0, a: 0 } } : {},
  );
}
