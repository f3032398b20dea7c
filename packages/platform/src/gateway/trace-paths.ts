import { dirname } from 'node:path/posix';

const BEGINNING = '{"method":"Tracing.dataCollected"';
/** Absolute paths as JSON strings, such as `"/home/a"` or `"C:\\a"`. */
const PATH_VALUE =
  /"(?:\/(?:bin|data|etc|home|lib|lib64|mnt|opt|proc|root|run|srv|tmp|usr|var)\/|[A-Za-z]:\\\\)(?:[^"\\]|\\.)*"/g;
const HIDDEN = '…';

/** Removes local paths from trace events, which contain them as arguments. */
export function withoutTracePaths(message: string, downloads: string): string {
  if (!message.startsWith(BEGINNING)) return message;
  // Also hides the profile folder, which `PATH_VALUE` may not match.
  return message.replaceAll(dirname(downloads), HIDDEN).replaceAll(PATH_VALUE, `"${HIDDEN}"`);
}
