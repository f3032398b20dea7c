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
import { isArrayOf } from '../util/is-array-of.ts';
import type { CallOptions } from '../util/progress.ts';

/** The part of a `Locator` that the option `mask` needs. */
export interface MaskLocator {
  all(): Promise<readonly { boundingBox(options?: CallOptions): Promise<Box | null> }[]>;
}

/** Image format of a screenshot. */
export type PictureType = 'png' | 'jpeg';

/** Options of a screenshot. Values of variables are always masked. */
export interface ScreenshotOptions extends CallOptions {
  /** Image format. Default: `jpeg` if `path` ends in .jpg or .jpeg, else `png`. */
  type?: PictureType;
  /** JPEG quality from 0 to 100. */
  quality?: number;
  /** Captures the whole page instead of the viewport; default false. */
  fullPage?: boolean;
  /** Area to capture, in CSS pixels from the top left corner of the viewport. */
  clip?: Box;
  /** One pixel per device pixel (`device`, default), one per CSS pixel (`css`), or a number of pixels per CSS pixel. */
  scale?: 'css' | 'device' | number;
  /** `disabled` finishes finite animations and removes infinite ones during the screenshot; default `allow`. */
  animations?: 'disabled' | 'allow';
  /** Hides the text caret (`hide`, default) or shows it (`initial`). */
  caret?: 'hide' | 'initial';
  /** CSS rules that apply during the screenshot, in frames and shadow roots too. */
  style?: string;
  /** Elements to cover with boxes in `maskColor`. */
  mask?: readonly MaskLocator[];
  /** Any CSS color; default `#FF00FF`. */
  maskColor?: string;
  /** Makes the page's default white background transparent; default false. */
  omitBackground?: boolean;
  /** Also writes the screenshot to this file. Missing folders are created. */
  path?: string;
}

export function checkScreenshotOptions(options: ScreenshotOptions | undefined): void {
  checkOptions(options);
  const { quality, fullPage, clip, omitBackground, path } = options ?? {};
  if (path !== undefined) checkString('path', path);
  const type = screenshotType(options ?? {});
  checkOneOf('type', type, ['png', 'jpeg']);
  checkFlag('fullPage', fullPage);
  checkFlag('omitBackground', omitBackground);
  checkAppearance(options ?? {});
  if (quality !== undefined && type === 'png')
    throw new DriverInvalidArgumentError("quality applies only to JPEG images. Omit it, or set type to 'jpeg'.", {
      argument: 'quality',
    });
  if (quality !== undefined) checkWholeNumber('quality', quality, { least: 0, most: 100 });
  if (clip !== undefined) checkClip(clip);
  if (fullPage && clip)
    throw new DriverInvalidArgumentError('Pass either fullPage or clip, not both.', { argument: 'clip' });
}

export function screenshotType({ type, path = '' }: Pick<ScreenshotOptions, 'type' | 'path'>): PictureType {
  if (type !== undefined) return type;
  return /\.jpe?g$/i.test(path) ? 'jpeg' : 'png';
}

function checkAppearance({ scale, animations, caret, style, mask, maskColor }: ScreenshotOptions): void {
  if (typeof scale === 'number') checkScale(scale);
  else if (scale !== undefined) checkOneOf('scale', scale, ['css', 'device']);
  if (animations !== undefined) checkOneOf('animations', animations, ['disabled', 'allow']);
  if (caret !== undefined) checkOneOf('caret', caret, ['hide', 'initial']);
  if (style !== undefined) checkString('style', style, { mayBeEmpty: true });
  if (maskColor !== undefined) checkString('maskColor', maskColor);
  if (mask !== undefined && !isArrayOf(mask, isLocator))
    throw new DriverInvalidArgumentError(`mask must be an array of locators. Received ${describeValue(mask)}.`, {
      argument: 'mask',
    });
}

function checkScale(scale: number): void {
  checkNumber('scale', scale);
  if (scale <= 0)
    throw new DriverInvalidArgumentError(`scale must be greater than 0. Received ${describeValue(scale)}.`, {
      argument: 'scale',
    });
}

function isLocator(value: unknown): value is MaskLocator {
  return typeof value === 'object' && value !== null && 'all' in value && typeof value.all === 'function';
}

function checkClip(clip: Box): void {
  if (typeof clip !== 'object' || clip === null)
    throw new DriverInvalidArgumentError(`clip must be an object. Received ${describeValue(clip)}.`, {
      argument: 'clip',
    });
  for (const side of ['x', 'y', 'width', 'height'] as const) checkNumber(`clip.${side}`, clip[side]);
  for (const side of ['width', 'height'] as const) {
    if (clip[side] <= 0)
      throw new DriverInvalidArgumentError(
        `clip.${side} must be greater than 0. Received ${describeValue(clip[side])}.`,
        {
          argument: `clip.${side}`,
        },
      );
  }
}
