import { createHmac, timingSafeEqual } from 'node:crypto';

/** Header that proves that a request comes from another server. */
export const PEER_HEADER = 'x-chauffeur-peer';

/** Requests arrive at once, so most of this time tolerates clock differences. */
const LIFE_MS = 60_000;

/** The signed part of a request. */
interface SignedRequest {
  readonly method?: string | undefined;
  readonly url?: string | undefined;
}

/** Signs requests between servers, so that nobody else can pretend to be one. */
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

  /** True if a server of this platform signed the request recently. */
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
