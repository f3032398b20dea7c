import { dirname } from 'node:path/posix';

/** How the browser begins a part of a trace; nothing else is read. */
const BEGINNING = '{"method":"Tracing.dataCollected"';
/** Absolute paths of a machine, as values in JSON; those of Windows have a drive. */
const PATH_VALUE =
  /"(?:\/(?:bin|data|etc|home|lib|lib64|mnt|opt|proc|root|run|srv|tmp|usr|var)\/|[A-Za-z]:\\\\)(?:[^"\\]|\\.)*"/g;
const HIDDEN = '…';

/** A message of the browser without the paths of its machine, which traces tell in the arguments of their events. */
export function withoutTracePaths(message: string, downloads: string): string {
  if (!message.startsWith(BEGINNING)) return message;
  // The profile may lie in a folder of any name.
  return message.replaceAll(dirname(downloads), HIDDEN).replaceAll(PATH_VALUE, `"${HIDDEN}"`);
}
