/** A risk in an action that the provider wants a person to confirm. */
export interface SafetyCheck {
  /** The provider's ID of the check; `''` if it has none. */
  readonly id: string;
  /** The provider's code for the risk, for example `malicious_instructions` or `require_confirmation`. */
  readonly code: string;
  /** The provider's explanation of the risk. */
  readonly message: string;
}

/** Passed to `onSafetyCheck`. */
export interface SafetyQuestion {
  readonly checks: readonly SafetyCheck[];
  /** The input of the action, in the provider's format. */
  readonly input: unknown;
  /** URL of the page that the action would run on. */
  readonly url: string;
}

/** Shows an action to a person. Returns `true` if the person allows it. */
export type SafetyCallback = (question: SafetyQuestion) => boolean | Promise<boolean>;
