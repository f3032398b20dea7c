import { createHmac, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';

const payload = z.strictObject({
  /** Session id. */
  s: z.uuid(),
  /** Key id. Revoking the key also invalidates its tokens. */
  k: z.string(),
  /** Expiry in milliseconds since 1970. */
  e: z.number().int(),
});

/** Permission to control one session's browser until `expiresAt`. */
export interface ConnectGrant {
  readonly sessionId: string;
  readonly keyId: string;
  readonly expiresAt: number;
}

/** Signs and verifies the tokens in connect URLs. Servers need not store signed tokens. */
export class ConnectTokens {
  readonly #secret: string;

  constructor(secret: string) {
    this.#secret = secret;
  }

  sign({ sessionId, keyId, expiresAt }: ConnectGrant): string {
    const text = Buffer.from(JSON.stringify({ s: sessionId, k: keyId, e: expiresAt })).toString('base64url');
    return `${text}.${this.#signature(text).toString('base64url')}`;
  }

  /** Returns the grant in a token. Returns `undefined` if the signature is invalid or the token has expired. */
  read(token: string, now: number = Date.now()): ConnectGrant | undefined {
    const [text = '', signature = '', ...rest] = token.split('.');
    const given = Buffer.from(signature, 'base64url');
    const right = this.#signature(text);
    if (rest.length > 0 || given.length !== right.length || !timingSafeEqual(given, right)) return undefined;
    const { s, k, e } = payload.parse(JSON.parse(Buffer.from(text, 'base64url').toString()));
    return e > now ? { sessionId: s, keyId: k, expiresAt: e } : undefined;
  }

  #signature(text: string): Buffer {
    return createHmac('sha256', this.#secret).update(`connect.${text}`).digest();
  }
}
