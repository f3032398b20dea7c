import type { VerbOptions } from '../verb/verb-context.ts';

/** Options for every form of `extract()`. */
interface ReadingOptions extends VerbOptions {
  /**
   * Only extracts from this element and its descendants. XPath, CSS or any locator selector. Default: the whole page.
   */
  selector?: string;
  /** Selectors of elements to skip, together with their descendants. */
  ignoreSelectors?: readonly string[];
  /**
   * Experimental: reads the data from where it was found before, without a model. Default: true if the driver has
   * `experimental: true` and a cache. `false` neither uses nor stores the locations of data.
   */
  plan?: boolean;
  /** Sends a PNG screenshot of the viewport to the model. Default: false. */
  screenshot?: boolean;
}

/** Options for `extract()` without evidence. */
export interface ExtractOptions extends ReadingOptions {
  /** Pass `true` to also get the element that contains each value. Default: false. */
  withEvidence?: false;
}

/** Options for `extract()` with a schema that also returns the element that contains each value. */
export interface EvidenceOptions extends ReadingOptions {
  withEvidence: true;
}

export type AnyExtractOptions = ExtractOptions | EvidenceOptions;

const OPTIONS: Readonly<Record<keyof AnyExtractOptions, true>> = {
  ignoreSelectors: true,
  model: true,
  page: true,
  plan: true,
  screenshot: true,
  selector: true,
  serverCache: true,
  signal: true,
  timeout: true,
  withEvidence: true,
};

/** Used to detect misspelt options and options in place of a schema. */
export const EXTRACT_OPTIONS: ReadonlySet<string> = new Set(Object.keys(OPTIONS));
