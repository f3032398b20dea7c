import { PlatformError } from '../errors.ts';

/** A whole number as it stands on the command line; undefined when there is none. */
export function readNumber(option: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (/^\d{1,15}$/.test(text)) return Number(text);
  throw new PlatformError(
    'invalid_request',
    `--${option} must be a whole number, 0 or more; it is ${JSON.stringify(text)}.`,
  );
}
