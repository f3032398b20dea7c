/** An action that `act` can run without a model: an element, a method and its arguments. */
export interface Action {
  /**
   * In results: `xpath=` with an absolute XPath, which can continue into frames and shadow roots. As input: any
   * selector of a locator.
   */
  readonly selector: string;
  /** Describes the element and the action. If the selector no longer matches, self-heal uses it to find the element. */
  readonly description: string;
  /** For example `click`, `fill`, `type`, `press`, `select` or `check`. Default: `click`. */
  readonly method?: string;
  /** Text, keys or options. Variables appear as `%name%` placeholders. */
  readonly arguments?: readonly string[];
}
