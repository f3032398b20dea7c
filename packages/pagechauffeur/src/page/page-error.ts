import type { EventParams } from '../cdp/protocol.ts';
import { DriverEvalError } from '../errors.ts';
import type { ValueMask } from '../util/value-mask.ts';

/** An uncaught error of a page with the page's message and stack, without variable values. */
export function pageError(
  { exceptionDetails }: EventParams<'Runtime.exceptionThrown'>,
  mask: ValueMask,
): DriverEvalError {
  const { exception, text } = exceptionDetails;
  const words = mask.mask(exception?.description ?? (exception ? String(exception.value) : text));
  const error = new DriverEvalError(words.replace(/\n\s+at [^]*$/, ''));
  Object.defineProperty(error, 'stack', { value: words, configurable: true, writable: true });
  return error;
}
