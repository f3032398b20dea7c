import type { VerbOptions } from '../verb/verb-context.ts';

/** Options of every `extract()` call. */
interface ReadingOptions extends VerbOptions {
  /** Limits extraction to this element and its descendants: XPath, CSS or any locator selector. */
  selector?: string;
  /** Omits matching elements and their descendants from the snapshot. */
  ignoreSelectors?: readonly string[];
  /**
   * Experimental: reads the data from its earlier locations, without a model. Default: true with the driver's `experimental:
   * true` and `cacheDir`. `false` asks a model and stores nothing.
   */
  plan?: boolean;
  /** Adds a PNG of the viewport to the model call; default false. */
  screenshot?: boolean;
}

/** Options of `extract()`. */
export interface ExtractOptions extends ReadingOptions {
  /** Also returns where the page shows each value; default false. */
  withEvidence?: false;
}

/** Options of an `extract()` with a schema that also returns where the page shows each value. */
export interface EvidenceOptions extends ReadingOptions {
  withEvidence: true;
}

/** Options of `extract()` in any form. */
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

/** Names of all options of `extract()`. */
export const EXTRACT_OPTIONS: ReadonlySet<string> = new Set(Object.keys(OPTIONS));
