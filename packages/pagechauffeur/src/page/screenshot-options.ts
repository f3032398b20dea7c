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
import type { CallOptions } from '../util/progress.ts';

/** What finds elements that are to be covered in a picture; every locator does. */
export interface MaskLocator {
  all(): Promise<readonly { boundingBox(options?: CallOptions): Promise<Box | null> }[]>;
}

/** The file type of a picture. */
export type PictureType = 'png' | 'jpeg';

/** How to take a picture. Values of variables that were typed into pages are covered in every picture. */
export interface ScreenshotOptions extends CallOptions {
  /** File type; default `jpeg` when `path` ends in .jpg or .jpeg, else `png`. */
  type?: PictureType;
  /** 0 to 100, for `jpeg` only. */
  quality?: number;
  /** The whole page instead of what the viewport shows; default false. */
  fullPage?: boolean;
  /** A part of the page, in CSS pixels of the viewport. */
  clip?: Box;
  /** One pixel for each pixel of the device (`device`, the default), for each CSS pixel (`css`), or so many for each CSS pixel. */
  scale?: 'css' | 'device' | number;
  /** `disabled` takes what moves at its end, and what moves without end at its beginning; default `allow`. */
  animations?: 'disabled' | 'allow';
  /** Whether the caret of a text field is left out (`hide`, the default) or shown as it is (`initial`). */
  caret?: 'hide' | 'initial';
  /** CSS rules that hold while the picture is taken, in frames and shadow roots too. */
  style?: string;
  /** Elements to cover. */
  mask?: readonly MaskLocator[];
  /** The color that covers; default `#FF00FF`. */
  maskColor?: string;
  /** Leaves out the page's white ground, so that it can be transparent; default false. */
  omitBackground?: boolean;
  /** Also writes the picture to this file; folders on the way are made. */
  path?: string;
}

/** Throws when an option of a screenshot is wrong. */
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
    throw new DriverInvalidArgumentError(
      "quality is for jpeg pictures; a png has none. Leave it out, or set type to 'jpeg'.",
      { argument: 'quality' },
    );
  if (quality !== undefined) checkWholeNumber('quality', quality, { least: 0, most: 100 });
  if (clip !== undefined) checkClip(clip);
  if (fullPage && clip)
    throw new DriverInvalidArgumentError('Give either fullPage or clip, not both.', { argument: 'clip' });
}

/** The type that a picture is to have. */
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
  if (mask !== undefined && !(Array.isArray(mask) && mask.every(isLocator)))
    throw new DriverInvalidArgumentError(`mask must be an array of locators. Received ${describeValue(mask)}.`, {
      argument: 'mask',
    });
}

function checkScale(scale: number): void {
  checkNumber('scale', scale);
  if (scale <= 0)
    throw new DriverInvalidArgumentError(`scale must be more than 0. Received ${describeValue(scale)}.`, {
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
      throw new DriverInvalidArgumentError(`clip.${side} must be more than 0. Received ${describeValue(clip[side])}.`, {
        argument: `clip.${side}`,
      });
  }
}
