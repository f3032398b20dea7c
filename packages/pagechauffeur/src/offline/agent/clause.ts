/** A statement about the page that can be true or false, such as "the total is €12". */
export interface Claim {
  /** As in the instruction, with quotation marks. */
  readonly words: string;
  /** True if the claim says that something is absent. */
  readonly isNegated: boolean;
}

/** A value for a form field. `field` is empty if only the page shows where the name ends and the value starts. */
export interface FormValue {
  readonly field: string;
  readonly value: string;
}

/**
 * What a clause asks for, as far as its words alone show. `act` is one action on the page; `beyond` is understood but
 * not supported.
 */
export type ClauseRequest =
  | { readonly kind: 'act' | 'avoid' | 'submit' | 'beyond' }
  /** `rest` is text after a complete clause that no rule matches. */
  | { readonly kind: 'unread'; readonly rest: string }
  | { readonly kind: 'reload' | 'closeTab' }
  | { readonly kind: 'navigate'; readonly url: string; readonly isNewTab: boolean }
  | { readonly kind: 'home'; readonly isNewTab: boolean }
  | { readonly kind: 'back'; readonly to: string | null }
  | { readonly kind: 'newTab'; readonly target: string | null }
  | { readonly kind: 'switchTab'; readonly which: string }
  | { readonly kind: 'wait'; readonly claim: Claim | null }
  | { readonly kind: 'dialog'; readonly accept: boolean; readonly text: string | null }
  | { readonly kind: 'check'; readonly claim: Claim }
  | { readonly kind: 'read'; readonly question: string }
  | { readonly kind: 'find' | 'search'; readonly value: string; readonly location: string | null }
  | { readonly kind: 'logIn'; readonly values: readonly FormValue[] }
  | { readonly kind: 'form'; readonly values: readonly FormValue[]; readonly location: string | null }
  | ({ readonly kind: 'subscribe' } & FormValue)
  | { readonly kind: 'download'; readonly target: string; readonly path: string | null }
  | { readonly kind: 'until'; readonly repeated: Clause; readonly claim: Claim }
  | { readonly kind: 'times'; readonly repeated: Clause; readonly count: number }
  | { readonly kind: 'quantity'; readonly one: Clause; readonly count: number }
  | { readonly kind: 'if'; readonly claim: Claim; readonly inner: Clause };

export interface Clause {
  readonly words: string;
  readonly asked: ClauseRequest;
}
