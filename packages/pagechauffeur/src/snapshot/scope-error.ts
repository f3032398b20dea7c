import {
  ContentFrameNotFoundError,
  DriverElementNotFoundError,
  type DriverError,
  DriverInvalidArgumentError,
  DriverShadowRootMissingError,
  XPathResolutionError,
} from '../errors.ts';
import type { Followed } from './follow-selector.ts';
import { lackingFrameError } from './frame-errors.ts';
import { isXPath } from './selector-kind.ts';

/** Results of a selector that matches no element. */
type NoElement = Exclude<NonNullable<Followed['resolution']>, { kind: 'element' }>;

/** Error for a `selector` option that matches nothing. */
export function scopeError(resolution: NoElement, selector: string): DriverError {
  switch (resolution.kind) {
    case 'no-frame':
      return new ContentFrameNotFoundError(
        `${selector}, which was to limit the snapshot, goes on in a frame, but ${resolution.tag} holds none.`,
        { selector },
      );
    case 'no-shadow-root':
      return new DriverShadowRootMissingError(
        `${selector}, which was to limit the snapshot, goes on in a shadow root, but ${resolution.matched} has none.`,
      );
    case 'invalid':
      return resolution.isXPath
        ? xpathError(selector, resolution.message)
        : new DriverInvalidArgumentError(`The selector ${selector} cannot be used: ${resolution.message}`, {
            argument: 'selector',
          });
    default:
      if (resolution.kind === 'none' && resolution.lacks !== undefined)
        return lackingFrameError(resolution.lacks, selector);
      return isXPath(selector)
        ? xpathError(selector, 'it leads to no element in the page or its frames.')
        : new DriverElementNotFoundError(`No element matches ${selector}, which was to limit the snapshot.`, {
            selectors: [selector],
          });
  }
}

function xpathError(xpath: string, reason: string): DriverError {
  return new XPathResolutionError(`The XPath ${xpath}, which was to limit the snapshot, cannot be used: ${reason}`, {
    xpath,
  });
}
