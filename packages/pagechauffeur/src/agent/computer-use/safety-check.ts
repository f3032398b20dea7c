/** A check that a provider wants a person to confirm before an action runs. */
export interface SafetyCheck {
  /** The provider's id of this check, sent back when it was confirmed; `''` if it has none. */
  readonly id: string;
  /** Kind of risk in the provider's terms, such as `malicious_instructions` or `require_confirmation`. */
  readonly code: string;
  /** Description of the risk. */
  readonly message: string;
}

/** An action that waits for confirmation. */
export interface SafetyQuestion {
  readonly checks: readonly SafetyCheck[];
  /** The action in the provider's format. */
  readonly input: unknown;
  /** URL of the page that it would run on. */
  readonly url: string;
}

/** Returns `true` if a person confirmed the action. */
export type SafetyCallback = (question: SafetyQuestion) => boolean | Promise<boolean>;
