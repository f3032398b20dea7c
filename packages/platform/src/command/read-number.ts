import { PlatformError } from '../errors.ts';

/** Parses an option that must be a non-negative integer. */
export function readNumber(option: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (/^\d{1,15}$/.test(text)) return Number(text);
  throw new PlatformError(
    'invalid_request',
    `--${option} must be a non-negative integer. Received ${JSON.stringify(text)}.`,
  );
}
