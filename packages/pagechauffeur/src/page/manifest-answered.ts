import type { PageTarget } from '../cdp/page-target.ts';
import type { Progress } from '../util/progress.ts';
import { withTimeout } from '../util/with-timeout.ts';

/** After this time in ms the page counts as hung, and the navigation starts without the manifest. */
const MAX_ANSWER_MS = 500;

/**
 * The last call per page. Each call waits for the one before it, so that navigations start in the order of the calls.
 */
const turns = new WeakMap<PageTarget, Promise<unknown>>();

/**
 * Waits for the page's manifest before a navigation to another origin of the same site. Chromium requests the manifest
 * of each loaded page. If the next document receives the response, Chromium kills the process ("Manifest start_url must
 * be same-origin with the document"). Seen in Chromium 156 in one of 700 navigations between two ports on a busy
 * machine. Responses arrive in order: once this request has its response, Chromium's request has one too.
 */
export async function manifestAnswered(progress: Progress, page: PageTarget, address: string): Promise<void> {
  const isAsked = isOtherOriginOfSite(page.frames.main.url, address);
  const answered = isAsked && withTimeout(MAX_ANSWER_MS, page.session.send('Page.getAppManifest'));
  const turn = Promise.allSettled([turns.get(page), answered]);
  turns.set(page, turn);
  await progress.race(turn);
}

/** True if Chromium may load both origins in the same process. Takes the last two labels of the host as the site. */
function isOtherOriginOfSite(from: string, to: string): boolean {
  if (!/^https?:/.test(from) || !URL.canParse(to)) return false;
  const [left, entered] = [new URL(from), new URL(to)];
  if (left.protocol !== entered.protocol || left.origin === entered.origin) return false;
  return domainOf(left) === domainOf(entered);
}

function domainOf({ hostname }: URL): string {
  return hostname.split('.').slice(-2).join('.');
}
