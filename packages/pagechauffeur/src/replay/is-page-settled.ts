import type { PageTarget } from '../cdp/page-target.ts';
import { ActionTrace } from '../actions/action-trace.ts';

/** True if the page has loaded and settling waits for no pending request. The caller then need not wait. */
export function isPageSettled(page: PageTarget): boolean {
  const { main } = page.frames;
  if (!main.lifecycle.has('load') || main.navigation !== 'none') return false;
  using watch = new ActionTrace(page, { countsInFlight: true });
  return !watch.isBusy;
}
