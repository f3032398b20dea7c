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

const STALE = [
  ContentFrameNotFoundError,
  DriverElementNotFoundError,
  DriverIframeError,
  DriverShadowRootMissingError,
  XPathResolutionError,
];
const HEALABLE = [...STALE, DriverClickError, DriverElementNotVisibleError, DriverLocatorError];

/** Whether a step failed because its selector leads to no element any more. */
export function isStale(error: DriverError): boolean {
  return STALE.some((kind) => error instanceof kind);
}

/** Whether a failed step may be tried on another element: the element was missing, or got no input. */
export function isHealable(error: unknown): error is DriverError {
  if (error instanceof DriverLocatorError && error.hasActed) return false;
  return error instanceof DriverError && HEALABLE.some((kind) => error instanceof kind);
}
