/** Judges host names by the IP addresses they resolve to. */
export interface NameJudge {
  /** Why the host name of a URL made a navigation fail. Returns `undefined` if something else did. */
  failureOf(address: string, errorText: string): NameFailure | undefined;
}

/** Why a host name could not be used. */
export type NameFailure =
  /** It resolves to a blocked address. Where the browser itself resolves names, also if it resolves to none. */
  | { readonly kind: 'refused' }
  /** It could not be resolved or connected to. `errorText` is the browser's own, such as `net::ERR_CONNECTION_REFUSED`. */
  | { readonly kind: 'unreachable'; readonly errorText: string };
