import {
  ContentFrameNotFoundError,
  DriverClickError,
  DriverElementNotFoundError,
  DriverElementNotVisibleError,
  DriverError,
  DriverIframeError,
  DriverLocatorError,
  DriverShadowRootMissingError,
  XPathResolutionError,
} from '../errors.ts';

const HEALABLE = [
  ContentFrameNotFoundError,
  DriverClickError,
  DriverElementNotFoundError,
  DriverElementNotVisibleError,
  DriverIframeError,
  DriverLocatorError,
  DriverShadowRootMissingError,
  XPathResolutionError,
];

/** Whether a failed step may be tried on another element: the element was not there or could not be acted on. */
export function isHealable(error: unknown): error is DriverError {
  return error instanceof DriverError && HEALABLE.some((kind) => error instanceof kind);
}
