/** One replayable step: the element, the method and its arguments. */
export interface Action {
  /** `xpath=` with an absolute XPath that continues through frames and shadow roots. As input, any locator selector. */
  readonly selector: string;
  /** Describes the element and the action. Self-heal finds the element again by this text. */
  readonly description: string;
  /** For example `click`, `fill`, `type`, `press`, `select`, `check`. */
  readonly method?: string;
  /** Strings. `%name%` placeholders are not expanded. */
  readonly arguments?: readonly string[];
}
