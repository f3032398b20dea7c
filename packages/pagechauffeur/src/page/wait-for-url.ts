import type { PageTarget } from '../cdp/page-target.ts';
import { CleanupStack } from '../util/cleanup-stack.ts';
import type { Progress } from '../util/progress.ts';
import { waitForLoadState } from './navigation.ts';
import type { LoadState } from './navigation-watch.ts';
import { type UrlPattern, urlTest } from './routing/url-pattern.ts';

export async function waitForUrl(
  progress: Progress,
  page: PageTarget,
  { pattern, waitUntil }: { pattern: UrlPattern; waitUntil: LoadState },
): Promise<void> {
  const wanted = urlTest(pattern);
  const { frames } = page;
  progress.log(`waiting for the URL to match ${describePattern(pattern)}`);
  using stops = new CleanupStack();
  for (;;) {
    const moved = Promise.withResolvers<void>();
    stops.defer(frames.events.on('navigated', () => moved.resolve()));
    stops.defer(frames.events.on('navigatedWithinDocument', () => moved.resolve()));
    const { url } = frames.main;
    if (wanted.fits(url || 'about:blank')) {
      await waitForLoadState(progress, page, waitUntil);
      // The page may have navigated while its document was loading.
      if (wanted.fits(frames.main.url || 'about:blank')) return;
    } else {
      progress.log(`the URL is ${url}`);
      await progress.race(moved.promise);
    }
    stops.dispose();
  }
}

function describePattern(pattern: UrlPattern): string {
  return typeof pattern === 'function' ? 'the function' : String(pattern);
}
