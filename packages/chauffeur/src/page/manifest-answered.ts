import type { PageTarget } from '../cdp/page-target.ts';
import { ProtocolError } from '../cdp/protocol-error.ts';
import type { Progress } from '../util/progress.ts';
import { within } from '../util/within.ts';

/** A page that has not answered after this many ms hangs, and is left all the same. */
const LONGEST_ANSWER_MS = 500;

/**
 * Before a page is left for another origin of its site: Chromium asks each page that has loaded for its manifest, and ends
 * the process of one whose next document answers in its place ("Manifest start_url must be same-origin with the document").
 * Seen on Chromium 156 in one of 700 navigations between two ports of a host, on a busy machine. Who asks for the manifest
 * after the browser did is answered after it.
 */
export async function manifestAnswered(progress: Progress, page: PageTarget, address: string): Promise<void> {
  if (!isOtherOriginOfSite(page.frames.main.url, address)) return;
  await progress.race(within(LONGEST_ANSWER_MS, page.session.send('Page.getAppManifest').catch(hasNone)));
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

/** A document that is just going, or was never there, has no manifest that could be in the way. */
function hasNone(error: unknown): void {
  if (!(error instanceof ProtocolError)) throw error;
}
