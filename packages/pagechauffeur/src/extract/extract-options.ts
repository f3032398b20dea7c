import type { VerbOptions } from '../verb/verb-context.ts';

/** Options of every `extract()` call. */
interface ReadingOptions extends VerbOptions {
  /** Limits the extraction to this element and its descendants: XPath, CSS or any locator selector. */
  selector?: string;
  /** Selectors of elements that are left out, together with their descendants. */
  ignoreSelectors?: readonly string[];
  /**
   * Experimental: reads the data from where it was found before, without a model. Defaults to true if the driver has
   * `experimental: true` and a `cacheDir`. `false` calls a model and stores nothing.
   */
  plan?: boolean;
  /** Adds a PNG of the viewport to the model call; default false. */
  screenshot?: boolean;
}

/** Options of `extract()`. */
export interface ExtractOptions extends ReadingOptions {
  /** True to also return where the page contains each value; default false. */
  withEvidence?: false;
}

/** Options of `extract()` with a schema. Also returns where the page contains each value. */
export interface EvidenceOptions extends ReadingOptions {
  withEvidence: true;
}

/** Options of any form of `extract()`. */
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
