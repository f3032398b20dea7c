/** One replayable step: which element, what is done to it, with what. */
export interface Action {
  /** `xpath=` and an absolute XPath that goes on through frames and shadow roots; on input any selector of a locator. */
  readonly selector: string;
  /** What the element is and what happens to it; self-heal looks for it by these words. */
  readonly description: string;
  /** For example `click`, `fill`, `type`, `press`, `select`, `check`. */
  readonly method?: string;
  /** Strings; `%name%` placeholders stay as they are. */
  readonly arguments?: readonly string[];
}
