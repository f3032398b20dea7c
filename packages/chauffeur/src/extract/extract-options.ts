import type { VerbOptions } from '../verb/verb-context.ts';

/** How to carry out an `extract()`. */
export interface ExtractOptions extends VerbOptions {
  /** Only this element and what is below it: XPath, CSS or any selector of a locator. */
  selector?: string;
  /** Matches are left out of the snapshot with all that is below them. */
  ignoreSelectors?: readonly string[];
  /** Adds a PNG of the viewport to the model call; default false. */
  screenshot?: boolean;
  /** Also gives, for each field, where its value stands on the page; for calls with a schema. Default false. */
  withEvidence?: boolean;
}
