import type { PageTarget } from '../../cdp/page-target.ts';
import { ActionTrace } from '../../page/action/action-trace.ts';

/** Whether a page has loaded and nothing that counts is on its way to it, so that it need not be waited for. */
export function isPageSettled(page: PageTarget): boolean {
  const { main } = page.frames;
  if (!main.lifecycle.has('load') || main.navigation !== 'none') return false;
  using watch = new ActionTrace(page, { countsInFlight: true });
  return !watch.isBusy;
}
