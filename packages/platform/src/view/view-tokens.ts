import { z } from 'zod';
import { readPayload, signPayload } from '../keys/signature.ts';

const viewPayload = z.strictObject({
  /** Session id. */
  s: z.uuid(),
  /** Key id. Revoking the key also invalidates its tokens. */
  k: z.string(),
  /** Expiry in milliseconds since 1970. */
  e: z.number().int(),
  /** True if the user may take over. */
  c: z.boolean(),
});
const signInPayload = viewPayload.pick({ k: true, e: true });

/** Permission to view one session until `expiresAt`, and to take over if `mayControl` is true. */
export interface ViewGrant {
  readonly sessionId: string;
  readonly keyId: string;
  readonly expiresAt: number;
  readonly mayControl: boolean;
}

/** A user who signed in with a key. */
export type SignInGrant = Pick<ViewGrant, 'keyId' | 'expiresAt'>;

/** Signs and verifies the tokens of session links and of signed-in users. */
export class ViewTokens {
  readonly #secret: string;

  constructor(secret: string) {
    this.#secret = secret;
  }

  signView({ sessionId, keyId, expiresAt, mayControl }: ViewGrant): string {
    return signPayload(this.#secret, 'view', { s: sessionId, k: keyId, e: expiresAt, c: mayControl });
  }

  /** Returns `undefined` if the signature is invalid or the token has expired. */
  readView(token: string, now: number = Date.now()): ViewGrant | undefined {
    const payload = readPayload(this.#secret, 'view', token);
    if (payload === undefined) return undefined;
    const { s, k, e, c } = viewPayload.parse(payload);
    return e > now ? { sessionId: s, keyId: k, expiresAt: e, mayControl: c } : undefined;
  }

  signSignIn({ keyId, expiresAt }: SignInGrant): string {
    return signPayload(this.#secret, 'sign-in', { k: keyId, e: expiresAt });
  }

  /** Returns `undefined` if the signature is invalid or the token has expired. */
  readSignIn(token: string, now: number = Date.now()): SignInGrant | undefined {
    const payload = readPayload(this.#secret, 'sign-in', token);
    if (payload === undefined) return undefined;
    const { k, e } = signInPayload.parse(payload);
    return e > now ? { keyId: k, expiresAt: e } : undefined;
  }
}
