/** Something that a provider wants a person to look at before its model's action is carried out. */
export interface SafetyCheck {
  /** The provider's name of this check, to be sent back when it passes; `''` when it has none. */
  readonly id: string;
  /** The kind of risk, in the provider's words, such as `malicious_instructions` or `require_confirmation`. */
  readonly code: string;
  /** What it is about. */
  readonly message: string;
}

/** An action that waits for a person. */
export interface SafetyQuestion {
  readonly checks: readonly SafetyCheck[];
  /** What the model asks for, in its provider's form. */
  readonly input: unknown;
  /** The page that it is to be done on. */
  readonly url: string;
}

/** Says whether an action may be carried out: `true` once a person has looked at it. */
export type SafetyCallback = (question: SafetyQuestion) => boolean | Promise<boolean>;
