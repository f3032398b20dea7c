/** What a claim about the page says, such as "the total is €12". */
export interface Claim {
  /** In the instruction's words, with quotation marks. */
  readonly words: string;
  /** It says that something is not there. */
  readonly isNegated: boolean;
}

/** A value and the name of the field that it goes into; the name is open where only the page can tell the two apart. */
export interface FormValue {
  readonly field: string;
  readonly value: string;
}

/** What a clause asks for, as far as its words tell without a page. */
export type Asked =
  | { readonly kind: 'act' | 'avoid' | 'submit' | 'beyond' }
  /** Words behind what was understood that no rule reads. */
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
  | { readonly kind: 'find' | 'search'; readonly value: string; readonly place: string | null }
  | { readonly kind: 'logIn'; readonly values: readonly FormValue[] }
  | { readonly kind: 'form'; readonly values: readonly FormValue[]; readonly place: string | null }
  | ({ readonly kind: 'subscribe' } & FormValue)
  | { readonly kind: 'download'; readonly target: string; readonly path: string | null }
  | { readonly kind: 'until'; readonly repeated: Clause; readonly claim: Claim }
  | { readonly kind: 'times'; readonly repeated: Clause; readonly count: number }
  | { readonly kind: 'quantity'; readonly one: Clause; readonly count: number }
  | { readonly kind: 'if'; readonly claim: Claim; readonly inner: Clause };

/** One thing that an instruction asks for. */
export interface Clause {
  /** In the instruction's words. */
  readonly words: string;
  readonly asked: Asked;
}
