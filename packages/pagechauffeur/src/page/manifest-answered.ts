import type { PageTarget } from '../cdp/page-target.ts';
import type { Progress } from '../util/progress.ts';
import { withTimeout } from '../util/with-timeout.ts';

/** A page that has not answered after this many ms hangs, and is left all the same. */
const LONGEST_ANSWER_MS = 500;

/** Until when the calls before have had their turn, so that of several the newest still leaves last. */
const turns = new WeakMap<PageTarget, Promise<unknown>>();

/**
 * Before a page is left for another origin of its site: Chromium asks each page that has loaded for its manifest, and ends
 * the process of one whose next document answers in its place ("Manifest start_url must be same-origin with the document").
 * Seen on Chromium 156 in one of 700 navigations between two ports of a host, on a busy machine. Who asks for the manifest
 * after the browser did is answered after it. A page that cannot answer is left, or says so when it is.
 */
export async function manifestAnswered(progress: Progress, page: PageTarget, address: string): Promise<void> {
  const isAsked = isOtherOriginOfSite(page.frames.main.url, address);
  const answered = isAsked && withTimeout(LONGEST_ANSWER_MS, page.session.send('Page.getAppManifest'));
  const turn = Promise.allSettled([turns.get(page), answered]);
  turns.set(page, turn);
  await progress.race(turn);
}

/** Whether a browser may show both in one process, one after the other; subdomains are told roughly, by their last two parts. */
function isOtherOriginOfSite(from: string, to: string): boolean {
  if (!/^https?:/.test(from) || !URL.canParse(to)) return false;
  const [left, entered] = [new URL(from), new URL(to)];
  if (left.protocol !== entered.protocol || left.origin === entered.origin) return false;
  return domainOf(left) === domainOf(entered);
}

function domainOf({ hostname }: URL): string {
  return hostname.split('.').slice(-2).join('.');
}
