/**
 * A compared library, attached to its own Chromium with one page. Methods that it lacks are undefined, and benchmarks
 * for them skip it.
 */
export interface Library extends AsyncDisposable {
  readonly name: string;
  readonly version: string;
  goto(url: string): Promise<unknown>;
  evaluate(expression: string): Promise<unknown>;
  /** Page text as a model would read it. */
  readonly snapshot?: () => Promise<string>;
  /** Page text without folding and truncation. Undefined if `snapshot` does neither. */
  readonly wholeSnapshot?: () => Promise<string>;
  /** CPU time that the page's main thread has used, in seconds. */
  readonly taskDuration?: () => Promise<number>;
  readonly click?: (selector: string) => Promise<unknown>;
  readonly fill?: (selector: string, value: string) => Promise<unknown>;
  /** `frame` is the selector of an iframe. */
  readonly clickInFrame?: (frame: string, selector: string) => Promise<unknown>;
  readonly fillInFrame?: (frame: string, selector: string, value: string) => Promise<unknown>;
  /** Reads the text of an element that exists. */
  readonly readText?: (selector: string) => Promise<unknown>;
  readonly count?: (selector: string) => Promise<unknown>;
  /** Waits for an element that already exists. */
  readonly waitFor?: (selector: string) => Promise<unknown>;
  /** Opens a URL and waits for the `load` event. */
  load(url: string): Promise<unknown>;
  /** Takes a PNG of the viewport. */
  readonly screenshot?: () => Promise<unknown>;
  /** Opens an empty page and returns a function that closes it. */
  readonly newPage?: () => Promise<() => Promise<unknown>>;
  /** Runs a known action without a model, as a replay does. */
  readonly actOnAction?: (selector: string) => Promise<unknown>;
  /** Acts on an instruction. The model responds immediately with the checkbox of this accessible name. */
  readonly actOnCheckbox?: (name: string) => Promise<unknown>;
  /** Like `actOnCheckbox`, but from the cache, which the first call fills. */
  readonly actFromCache?: (name: string) => Promise<unknown>;
  /** Extracts text. The model responds immediately. */
  readonly extractText?: () => Promise<unknown>;
  /** Observes the checkbox of this accessible name. The model responds immediately. */
  readonly observeCheckbox?: (name: string) => Promise<unknown>;
}

/** DevTools WebSocket URLs of one Chromium. */
export interface BrowserAddress {
  /** For the library's process, possibly through a delay. */
  readonly url: string;
  /** For programs that run next to the browser. */
  readonly localUrl: string;
}

export type OpenLibrary = (browser: BrowserAddress) => Promise<Library>;

/** Our own library in results. Ratios are relative to it. */
export const ownName = 'chauffeur';

/** Another build of our library, given with `--baseline`. */
export const baselineName = 'chauffeur (baseline)';
