import { createHmac, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';

const payload = z.strictObject({
  /** The session. */
  s: z.uuid(),
  /** The key that asked for the token: when it is revoked, so is the token. */
  k: z.string(),
  /** End of validity, milliseconds since 1970. */
  e: z.number().int(),
});

/** What a token allows: to drive the browser of one session, until a time. */
export interface ConnectGrant {
  readonly sessionId: string;
  readonly keyId: string;
  readonly expiresAt: number;
}

/** Makes and reads the tokens of connect addresses. They are signed, so no server needs to remember them. */
export class ConnectTokens {
  readonly #secret: string;

  constructor(secret: string) {
    this.#secret = secret;
  }

  /** A token as it stands in an address. */
  sign({ sessionId, keyId, expiresAt }: ConnectGrant): string {
    const text = Buffer.from(JSON.stringify({ s: sessionId, k: keyId, e: expiresAt })).toString('base64url');
    return `${text}.${this.#signature(text).toString('base64url')}`;
  }

  /** What a token allows; undefined when this platform did not make it, or its time is over. */
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
