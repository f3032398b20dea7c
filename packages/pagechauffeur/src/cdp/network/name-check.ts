/** Explains failed navigations while a policy blocks IP addresses that host names may resolve to. */
export interface NameCheck {
  /** Returns why the host name made a navigation fail, or `undefined` if it failed for another reason. */
  failureOf(address: string, errorText: string): NameFailure | undefined;
}

export type NameFailure =
  /**
   * The name resolves to a blocked address. If the browser resolves names itself, this can also mean that the name does
   * not exist.
   */
  | { readonly kind: 'refused' }
  /**
   * The name does not resolve, or no connection is possible. `errorText` is the browser's, such as
   * `net::ERR_CONNECTION_REFUSED`.
   */
  | { readonly kind: 'unreachable'; readonly errorText: string };
