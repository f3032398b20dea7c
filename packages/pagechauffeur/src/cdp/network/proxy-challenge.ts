import type { EventParams, Params } from '../protocol.ts';

export interface ProxyCredentials {
  readonly username: string;
  readonly password: string;
}

type Answer = Params<'Fetch.continueWithAuth'>;

/** Answers authentication challenges of the proxy. Sites never get the credentials. */
export class ProxyChallenge {
  readonly #credentials: ProxyCredentials;
  readonly #asked = new Set<string>();

  constructor(credentials: ProxyCredentials) {
    this.#credentials = credentials;
  }

  /** True once the browser has the credentials, which it then sends by itself. */
  get isAnswered(): boolean {
    return this.#asked.size > 0;
  }

  /**
   * Cancels challenges of sites, and the second challenge for a request, because the proxy has then rejected the
   * credentials.
   */
  answer({ requestId, authChallenge }: EventParams<'Fetch.authRequired'>): Answer {
    const isProxy = authChallenge.source === 'Proxy';
    if (!isProxy || this.#asked.has(requestId)) return { requestId, authChallengeResponse: { response: 'CancelAuth' } };
    this.#asked.add(requestId);
    return { requestId, authChallengeResponse: { response: 'ProvideCredentials', ...this.#credentials } };
  }
}
