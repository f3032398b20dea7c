import type { PageTarget } from '../cdp/page-target.ts';
import type { Progress } from '../util/progress.ts';
import { withTimeout } from '../util/with-timeout.ts';

/** A page that has not answered after this time in ms hangs. The navigation proceeds anyway. */
const MAX_ANSWER_MS = 500;

/** Queues calls, so that the newest navigation is also the last to start. */
const turns = new WeakMap<PageTarget, Promise<unknown>>();

/**
 * Waits for the manifest before a page navigates to another origin of its site. Chromium requests the manifest of each loaded
 * page. If the next document answers that request, Chromium kills the process ("Manifest start_url must be same-origin with
 * the document"). Seen on Chromium 156 in one of 700 navigations between two ports of a host, on a busy machine. Answers come
 * in order, so an own request is answered after the browser's. A page that does not answer navigates anyway.
 */
export async function manifestAnswered(progress: Progress, page: PageTarget, address: string): Promise<void> {
  const isAsked = isOtherOriginOfSite(page.frames.main.url, address);
  const answered = isAsked && withTimeout(MAX_ANSWER_MS, page.session.send('Page.getAppManifest'));
  const turn = Promise.allSettled([turns.get(page), answered]);
  turns.set(page, turn);
  await progress.race(turn);
}

/** True if a browser may show both sites in one process, one after the other. Compares the last two parts of the hosts. */
function isOtherOriginOfSite(from: string, to: string): boolean {
  if (!/^https?:/.test(from) || !URL.canParse(to)) return false;
  const [left, entered] = [new URL(from), new URL(to)];
  if (left.protocol !== entered.protocol || left.origin === entered.origin) return false;
  return domainOf(left) === domainOf(entered);
}

function domainOf({ hostname }: URL): string {
  return hostname.split('.').slice(-2).join('.');
}
