import type { PageTarget } from '../../cdp/page-target.ts';

/** Origins that the frames of pages have shown. */
export class SiteOrigins {
  readonly #origins = new Set<string>();

  /** Records origins of a page's frames from now on. */
  watch({ frames }: PageTarget): void {
    frames.events.on('navigated', ({ url }) => this.add(url));
  }

  /** Recorded origins, and those of frames that existed before a page was watched. */
  seenIn(pages: readonly PageTarget[]): readonly string[] {
    for (const { frames } of pages) for (const { url } of frames.frames) this.add(url);
    return [...this.#origins];
  }

  /** Records the origin of a site's URL. */
  add(url: string): void {
    const origin = URL.canParse(url) ? new URL(url).origin : '';
    if (isSiteOrigin(origin)) this.#origins.add(origin);
  }
}

/** True for origins of sites. Files and opaque origins have no shared storage. */
export function isSiteOrigin(origin: string): boolean {
  return /^https?:/.test(origin) && URL.canParse(origin) && new URL(origin).origin === origin;
}
