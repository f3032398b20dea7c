import type { VerbOptions } from '../verb/verb-context.ts';

/** What every `extract()` may say. */
interface ReadingOptions extends VerbOptions {
  /** Only this element and what is below it: XPath, CSS or any selector of a locator. */
  selector?: string;
  /** Matches are left out of the snapshot with all that is below them. */
  ignoreSelectors?: readonly string[];
  /**
   * Experimental: whether the data is read again without a model from where it stood the last time. Default: yes with the driver's
   * `experimental: true` and `cacheDir`; `false` asks a model and keeps nothing.
   */
  plan?: boolean;
  /** Adds a PNG of the viewport to the model call; default false. */
  screenshot?: boolean;
}

/** How to carry out an `extract()`. */
export interface ExtractOptions extends ReadingOptions {
  /** Whether to tell where the data stands, too; default false. */
  withEvidence?: false;
}

/** How to carry out an `extract()` with a schema that also tells, for each field, where its value stands on the page. */
export interface EvidenceOptions extends ReadingOptions {
  withEvidence: true;
}

/** How to carry out an `extract()` of any kind. */
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

/** The names of all options of `extract()`. */
export const EXTRACT_OPTIONS: ReadonlySet<string> = new Set(Object.keys(OPTIONS));
