import { z } from 'zod';
import { readPayload, signPayload } from '../keys/signature.ts';

const viewPayload = z.strictObject({
  /** Session id. */
  s: z.uuid(),
  /** Id of the key that requested the token. Revoking the key revokes the token. */
  k: z.string(),
  /** Expiry, in milliseconds since 1970. */
  e: z.number().int(),
  /** True if its owner may take over. */
  c: z.boolean(),
});
const signInPayload = viewPayload.pick({ k: true, e: true });

/** Permission to view one session, and optionally to take over, until a time. */
export interface ViewGrant {
  readonly sessionId: string;
  readonly keyId: string;
  readonly expiresAt: number;
  readonly mayControl: boolean;
}

/** A user who signed in with a key, and the expiry. */
export type SignInGrant = Pick<ViewGrant, 'keyId' | 'expiresAt'>;

/** Creates and verifies dashboard tokens: for session links and for signed-in users. */
export class ViewTokens {
  readonly #secret: string;

  constructor(secret: string) {
    this.#secret = secret;
  }

  /** Returns a token for one session. */
  signView({ sessionId, keyId, expiresAt, mayControl }: ViewGrant): string {
    return signPayload(this.#secret, 'view', { s: sessionId, k: keyId, e: expiresAt, c: mayControl });
  }

  /** Returns the permission of a token. Undefined if this platform did not sign it or it has expired. */
  readView(token: string, now: number = Date.now()): ViewGrant | undefined {
    const payload = readPayload(this.#secret, 'view', token);
    if (payload === undefined) return undefined;
    const { s, k, e, c } = viewPayload.parse(payload);
    return e > now ? { sessionId: s, keyId: k, expiresAt: e, mayControl: c } : undefined;
  }

  /** Returns a token for a signed-in user. */
  signSignIn({ keyId, expiresAt }: SignInGrant): string {
    return signPayload(this.#secret, 'sign-in', { k: keyId, e: expiresAt });
  }

  /** Returns the user of a token. Undefined if this platform did not sign it or it has expired. */
  readSignIn(token: string, now: number = Date.now()): SignInGrant | undefined {
    const payload = readPayload(this.#secret, 'sign-in', token);
    if (payload === undefined) return undefined;
    const { k, e } = signInPayload.parse(payload);
    return e > now ? { keyId: k, expiresAt: e } : undefined;
  }
}
