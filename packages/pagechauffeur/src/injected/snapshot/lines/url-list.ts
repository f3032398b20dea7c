/** Only invalid URLs, which the browser returns unchanged, start with `+` or contain line feeds. */
const UNSAFE = /^\+|\n/g;

/** Numbers the URLs of a snapshot, starting at 0. */
export class UrlList {
  /** See `FrameText.urls`. */
  written = '';
  readonly #numberByUrl = new Map<string, number>();
  /** The last URL, up to its last `/` or `#`. Long lists of links share it. */
  #shared = '';

  numberOf(url: string): number {
    const known = this.#numberByUrl.get(url);
    if (known !== undefined) return known;
    const number = this.#numberByUrl.size;
    this.#numberByUrl.set(url, number);
    this.#write(url.replace(UNSAFE, encodeURIComponent));
    return number;
  }

  #write(url: string): void {
    const isSimilar = this.#shared !== '' && url.startsWith(this.#shared);
    this.written += isSimilar ? `+${url.slice(this.#shared.length)}\n` : `${url}\n`;
    this.#shared = url.slice(0, Math.max(url.lastIndexOf('/'), url.lastIndexOf('#')) + 1);
  }
}
