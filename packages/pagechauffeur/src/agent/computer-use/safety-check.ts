/** A risk that a person must confirm before an action runs, at the request of the provider. */
export interface SafetyCheck {
  /** The provider's ID of this check, sent back once it is confirmed; `''` if it has none. */
  readonly id: string;
  /** Kind of risk, in the provider's own terms: for example `malicious_instructions` or `require_confirmation`. */
  readonly code: string;
  /** Description of the risk. */
  readonly message: string;
}

/** An action that waits for confirmation. */
export interface SafetyQuestion {
  readonly checks: readonly SafetyCheck[];
  /** The action in the provider's format. */
  readonly input: unknown;
  /** URL of the page that the action would run on. */
  readonly url: string;
}

/** Asks a person to confirm an action. Returns `true` if the person confirmed it. */
export type SafetyCallback = (question: SafetyQuestion) => boolean | Promise<boolean>;
