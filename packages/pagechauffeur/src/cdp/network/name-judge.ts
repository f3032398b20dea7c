/** Judges host names by the IP addresses that they lead to. */
export interface NameJudge {
  /** Why no document came from an address, when that was for its host name; undefined when it was for something else. */
  failureOf(address: string, errorText: string): NameFailure | undefined;
}

/** What became of a host name. */
export type NameFailure =
  /** It leads to an address that the policy blocks, or, where the browser itself looks names up, nowhere. */
  | { readonly kind: 'refused' }
  /** It could not be reached. `errorText` is what the browser says when it finds out by itself, such as `net::ERR_CONNECTION_REFUSED`. */
  | { readonly kind: 'unreachable'; readonly errorText: string };
