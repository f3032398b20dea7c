import type { Snapshot } from '../snapshot/snapshot.ts';
import type { Log } from '../util/log.ts';

/** One line of the log for a scope that is inside a frame: a selector that the page itself does not have is searched in its frames. */
export function logScopeFrame(
  log: Log,
  {
    verb,
    selector,
    snapshot,
  }: { readonly verb: string; readonly selector: string | undefined; readonly snapshot: Snapshot },
): void {
  if (selector !== undefined && snapshot.frame.parent)
    log.write(verb, 1, `${selector} was found in the frame ${snapshot.frame.url}.`);
}
