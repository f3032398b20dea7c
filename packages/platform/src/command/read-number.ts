import { PlatformError } from '../errors.ts';

/** Parses an integer from the command line. Returns `undefined` if it is missing. */
export function readNumber(option: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (/^\d{1,15}$/.test(text)) return Number(text);
  throw new PlatformError(
    'invalid_request',
    `--${option} must be an integer of at least 0. Received ${JSON.stringify(text)}.`,
  );
}
