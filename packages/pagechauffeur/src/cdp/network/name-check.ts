/** Checks host names by the IP addresses they resolve to. */
export interface NameCheck {
  /** Returns why the host name of a URL made a navigation fail, or `undefined` if something else did. */
  failureOf(address: string, errorText: string): NameFailure | undefined;
}

/** Reason why a host name failed. */
export type NameFailure =
  /** It resolves to a blocked address. If the browser resolves names itself, also if the name does not resolve. */
  | { readonly kind: 'refused' }
  /** It could not be resolved or connected to. `errorText` is the browser's, such as `net::ERR_CONNECTION_REFUSED`. */
  | { readonly kind: 'unreachable'; readonly errorText: string };
