/** One replayable step: the element, the method and its arguments. */
export interface Action {
  /**
   * `xpath=` and an absolute XPath, which can continue into frames and shadow roots. As input, any locator selector.
   */
  readonly selector: string;
  /** Describes the element and the action. Self-heal uses it to find the element again. */
  readonly description: string;
  /** For example `click`, `fill`, `type`, `press`, `select`, `check`. */
  readonly method?: string;
  /** Text, keys or options. `%name%` placeholders are not expanded. */
  readonly arguments?: readonly string[];
}
