import type { EventParams, Params } from '../protocol.ts';

/** What a proxy lets its users in by. */
export interface ProxyCredentials {
  readonly username: string;
  readonly password: string;
}

type Answer = Params<'Fetch.continueWithAuth'>;

/** Answers a proxy that asks who is there. A site that asks is never told. */
export class ProxyChallenge {
  readonly #credentials: ProxyCredentials;
  readonly #asked = new Set<string>();

  constructor(credentials: ProxyCredentials) {
    this.#credentials = credentials;
  }

  /** Whether the browser was told the credentials; it sends them by itself from then on. */
  get isAnswered(): boolean {
    return this.#asked.size > 0;
  }

  /** The answer to a challenge; a proxy that asks the same again did not take the credentials. */
  answer({ requestId, authChallenge }: EventParams<'Fetch.authRequired'>): Answer {
    const isProxy = authChallenge.source === 'Proxy';
    if (!isProxy || this.#asked.has(requestId)) return { requestId, authChallengeResponse: { response: 'CancelAuth' } };
    this.#asked.add(requestId);
    return { requestId, authChallengeResponse: { response: 'ProvideCredentials', ...this.#credentials } };
  }
}
