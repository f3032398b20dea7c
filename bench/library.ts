/**
 * One of the libraries compared, attached to a Chromium of its own with one page. Only what a library offers is
 * there; a benchmark leaves out the libraries that lack what it measures.
 */
export interface Library extends AsyncDisposable {
  readonly name: string;
  readonly version: string;
  goto(url: string): Promise<unknown>;
  /** Evaluates an expression in the page. */
  evaluate(expression: string): Promise<unknown>;
  /** The page as the text that a model would read. */
  readonly snapshot?: () => Promise<string>;
  /** The same with nothing folded or cut, for a library that does so by default. */
  readonly wholeSnapshot?: () => Promise<string>;
  /** Seconds of processor time that the main thread of the page has used. */
  readonly taskDuration?: () => Promise<number>;
  readonly click?: (selector: string) => Promise<unknown>;
  readonly fill?: (selector: string, value: string) => Promise<unknown>;
  /** The same in the document of a frame, which a selector names. */
  readonly clickInFrame?: (frame: string, selector: string) => Promise<unknown>;
  readonly fillInFrame?: (frame: string, selector: string, value: string) => Promise<unknown>;
  /** The text of an element that is there. */
  readonly readText?: (selector: string) => Promise<unknown>;
  /** How many elements match. */
  readonly count?: (selector: string) => Promise<unknown>;
  /** Waits for an element that is there already. */
  readonly waitFor?: (selector: string) => Promise<unknown>;
  /** Opens an address and waits until its load event. */
  load(url: string): Promise<unknown>;
  /** A PNG of the viewport. */
  readonly screenshot?: () => Promise<unknown>;
  /** Opens an empty page; what it gives closes it. */
  readonly newPage?: () => Promise<() => Promise<unknown>>;
  /** Carries out a known step, as a replay does: no model. */
  readonly actOnAction?: (selector: string) => Promise<unknown>;
  /** Carries out a sentence with a model that answers at once with the checkbox of this accessible name. */
  readonly actOnCheckbox?: (name: string) => Promise<unknown>;
  /** The same from the library's cache of steps, once the first time has filled it. */
  readonly actFromCache?: (name: string) => Promise<unknown>;
  /** Reads something off the page in words, with a model that answers at once. */
  readonly extractText?: () => Promise<unknown>;
  /** Finds the checkbox of this accessible name, with a model that answers at once. */
  readonly observeCheckbox?: (name: string) => Promise<unknown>;
}

/** Where a running Chromium's DevTools socket is. */
export interface BrowserAddress {
  /** As the library's own process reaches it. */
  readonly url: string;
  /** As it is reached on the browser's machine. */
  readonly localUrl: string;
}

/** Attaches a library to a running Chromium. */
export type OpenLibrary = (browser: BrowserAddress) => Promise<Library>;

/** The name under which our own library stands in results; ratios are relative to it. */
export const ownName = 'chauffeur';
