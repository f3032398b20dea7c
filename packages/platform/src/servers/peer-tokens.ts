import { createHmac, timingSafeEqual } from 'node:crypto';

/** Header with a token that proves that another server sent the request. */
export const PEER_HEADER = 'x-chauffeur-peer';

/** Requests arrive immediately. Most of this time allows for clock differences. */
const LIFE_MS = 60_000;

interface SignedRequest {
  readonly method?: string | undefined;
  readonly url?: string | undefined;
}

/** Signs requests between servers with their shared secret. */
export class PeerTokens {
  readonly #secret: string;

  constructor(secret: string) {
    this.#secret = secret;
  }

  /** Returns the value of {@link PEER_HEADER} for a request. */
  sign(request: SignedRequest, now: number = Date.now()): string {
    const end = now + LIFE_MS;
    return `${end}.${this.#signature(request, end).toString('base64url')}`;
  }

  /** True if a server of this platform signed the request within the last 60 s. */
  isValid(request: SignedRequest, token: unknown, now: number = Date.now()): boolean {
    const [end = '', signature = ''] = typeof token === 'string' ? token.split('.') : [];
    const given = Buffer.from(signature, 'base64url');
    const right = this.#signature(request, Number(end));
    return given.length === right.length && timingSafeEqual(given, right) && Number(end) > now;
  }

  #signature({ method = '', url = '' }: SignedRequest, end: number): Buffer {
    return createHmac('sha256', this.#secret).update(`peer.${end}.${method} ${url}`).digest();
  }
}
