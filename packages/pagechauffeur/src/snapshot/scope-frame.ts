import type { Snapshot } from './snapshot.ts';
import type { Log } from '../util/log.ts';

/** Logs where `selector` was found, if that is in a child frame. */
export function logScopeFrame(
  log: Log,
  {
    verb,
    selector,
    snapshot,
  }: { readonly verb: string; readonly selector: string | undefined; readonly snapshot: Snapshot },
): void {
  if (selector !== undefined && snapshot.frame.parent)
    log.write(verb, 1, `Found ${selector} in the frame ${snapshot.frame.url}.`);
}
