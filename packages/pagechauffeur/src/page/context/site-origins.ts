import type { PageTarget } from '../../cdp/page-target.ts';

/** Collects the origins that frames have loaded, because the browser cannot list origins with local storage. */
export class SiteOrigins {
  readonly #origins = new Set<string>();

  watch({ frames }: PageTarget): void {
    frames.events.on('navigated', ({ url }) => this.add(url));
  }

  /** Returns the collected origins, plus those that the pages' frames had loaded before `watch()`. */
  seenIn(pages: readonly PageTarget[]): readonly string[] {
    for (const { frames } of pages) for (const { url } of frames.frames) this.add(url);
    return [...this.#origins];
  }

  /** Ignores URLs without an http(s) origin. */
  add(url: string): void {
    const origin = URL.canParse(url) ? new URL(url).origin : '';
    if (isSiteOrigin(origin)) this.#origins.add(origin);
  }
}

/** True for http(s) origins, the only ones in a storage state. */
export function isSiteOrigin(origin: string): boolean {
  return /^https?:/.test(origin) && URL.canParse(origin) && new URL(origin).origin === origin;
}
