import { createHmac, timingSafeEqual } from 'node:crypto';

/** The header by which a server shows another that a request comes from it. */
export const PEER_HEADER = 'x-chauffeur-peer';

/** A request goes on at once; the rest is for clocks that differ. */
const LIFE_MS = 60_000;

/** The part of a request that is signed. */
interface SignedRequest {
  readonly method?: string | undefined;
  readonly url?: string | undefined;
}

/** Signs requests that one server sends on to another, so that nobody else can say that he is one. */
export class PeerTokens {
  readonly #secret: string;

  constructor(secret: string) {
    this.#secret = secret;
  }

  /** What goes with a request in {@link PEER_HEADER}. */
  sign(request: SignedRequest, now: number = Date.now()): string {
    const end = now + LIFE_MS;
    return `${end}.${this.#signature(request, end).toString('base64url')}`;
  }

  /** Whether a request was signed by a server of this platform, not long ago. */
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
