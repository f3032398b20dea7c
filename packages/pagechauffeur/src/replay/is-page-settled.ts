import type { PageTarget } from '../cdp/page-target.ts';
import { ActionTrace } from '../actions/action-trace.ts';

/**
 * True if settling would return immediately: the page has loaded, and no request is pending that settling waits for.
 */
export function isPageSettled(page: PageTarget): boolean {
  const { main } = page.frames;
  if (!main.lifecycle.has('load') || main.navigation !== 'none') return false;
  using watch = new ActionTrace(page, { countsInFlight: true });
  return !watch.isBusy;
}
