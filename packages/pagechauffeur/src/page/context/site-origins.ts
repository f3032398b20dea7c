import type { PageTarget } from '../../cdp/page-target.ts';

/** The origins of sites that the frames of some pages have shown. */
export class SiteOrigins {
  readonly #origins = new Set<string>();

  /** Notes the origins of a page's frames from now on. */
  watch({ frames }: PageTarget): void {
    frames.events.on('navigated', ({ url }) => this.add(url));
  }

  /** The origins so far, with those of frames that were there before a page was watched. */
  seenIn(pages: readonly PageTarget[]): readonly string[] {
    for (const { frames } of pages) for (const { url } of frames.frames) this.add(url);
    return [...this.#origins];
  }

  /** Notes the origin of an address, if it is a site's. */
  add(url: string): void {
    const origin = URL.canParse(url) ? new URL(url).origin : '';
    if (isSiteOrigin(origin)) this.#origins.add(origin);
  }
}

/** Whether this is the origin of a site; files and what has an origin of its own have none that others could use. */
export function isSiteOrigin(origin: string): boolean {
  return /^https?:/.test(origin) && URL.canParse(origin) && new URL(origin).origin === origin;
}
