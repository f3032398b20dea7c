import type { PageTarget } from '../cdp/page-target.ts';
import { ProtocolError } from '../cdp/protocol-error.ts';
import { DriverClosedError } from '../errors.ts';
import { CleanupStack } from '../util/cleanup-stack.ts';
import { deferred } from '../util/deferred.ts';
import type { Progress } from '../util/progress.ts';
import { RefusedLeave } from './refused-leave.ts';

/**
 * Closes a page and waits until it has closed. With `runBeforeUnload`, also returns when the page's `beforeunload`
 * dialog is dismissed, which keeps the page open.
 */
export async function closePage(progress: Progress, page: PageTarget, runBeforeUnload: boolean): Promise<void> {
  using stops = new CleanupStack();
  const ended = deferred<void>();
  stops.defer(page.events.on('closed', () => ended.resolve()));
  using refused = new RefusedLeave(page);
  void refused.stayed.then(() => ended.resolve());
  const asked = (runBeforeUnload ? page.session.send('Page.close') : page.close()).catch((error: unknown) => {
    // Another client has closed the page, and its `closed` event is still on the way.
    if (!(error instanceof DriverClosedError || isUnknownTarget(error))) throw error;
  });
  await progress.race(Promise.all([asked, ended.promise]));
}

function isUnknownTarget(error: unknown): boolean {
  return error instanceof ProtocolError && /No target (with given id|found for targetId)/.test(error.reason);
}
