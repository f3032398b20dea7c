import { dirname } from 'node:path/posix';

/** Prefix of trace messages. Others are not changed. */
const BEGINNING = '{"method":"Tracing.dataCollected"';
/** Absolute paths as JSON values. Windows paths start with a drive. */
const PATH_VALUE =
  /"(?:\/(?:bin|data|etc|home|lib|lib64|mnt|opt|proc|root|run|srv|tmp|usr|var)\/|[A-Za-z]:\\\\)(?:[^"\\]|\\.)*"/g;
const HIDDEN = '…';

/** Removes paths of the machine from a browser message. Traces contain them in event arguments. */
export function withoutTracePaths(message: string, downloads: string): string {
  if (!message.startsWith(BEGINNING)) return message;
  // The profile may be in a folder of any name.
  return message.replaceAll(dirname(downloads), HIDDEN).replaceAll(PATH_VALUE, `"${HIDDEN}"`);
}
