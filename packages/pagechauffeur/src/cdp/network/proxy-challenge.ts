import type { EventParams, Params } from '../protocol.ts';

/** Credentials for a proxy. */
export interface ProxyCredentials {
  readonly username: string;
  readonly password: string;
}

type Answer = Params<'Fetch.continueWithAuth'>;

/** Answers proxy authentication. Sites that ask for credentials never get them. */
export class ProxyChallenge {
  readonly #credentials: ProxyCredentials;
  readonly #asked = new Set<string>();

  constructor(credentials: ProxyCredentials) {
    this.#credentials = credentials;
  }

  /** True once the browser has the credentials. It then sends them itself. */
  get isAnswered(): boolean {
    return this.#asked.size > 0;
  }

  /** Answers a challenge. A proxy that asks again rejected the credentials. */
  answer({ requestId, authChallenge }: EventParams<'Fetch.authRequired'>): Answer {
    const isProxy = authChallenge.source === 'Proxy';
    if (!isProxy || this.#asked.has(requestId)) return { requestId, authChallengeResponse: { response: 'CancelAuth' } };
    this.#asked.add(requestId);
    return { requestId, authChallengeResponse: { response: 'ProvideCredentials', ...this.#credentials } };
  }
}
