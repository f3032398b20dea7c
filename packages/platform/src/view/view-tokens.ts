import { z } from 'zod';
import { readPayload, signPayload } from '../keys/signature.ts';

const viewPayload = z.strictObject({
  /** The session. */
  s: z.uuid(),
  /** The key that asked for the token: when it is revoked, so is the token. */
  k: z.string(),
  /** End of validity, milliseconds since 1970. */
  e: z.number().int(),
  /** Whether its owner may take over. */
  c: z.boolean(),
});
const signInPayload = viewPayload.pick({ k: true, e: true });

/** What a view token allows: to look at one session, and perhaps to take over, until a time. */
export interface ViewGrant {
  readonly sessionId: string;
  readonly keyId: string;
  readonly expiresAt: number;
  readonly mayControl: boolean;
}

/** Who has signed in with a key, until when. */
export type SignInGrant = Pick<ViewGrant, 'keyId' | 'expiresAt'>;

/** Makes and reads what opens the dashboard: tokens of links to one session, and those of people who signed in. */
export class ViewTokens {
  readonly #secret: string;

  constructor(secret: string) {
    this.#secret = secret;
  }

  /** A token for one session. */
  signView({ sessionId, keyId, expiresAt, mayControl }: ViewGrant): string {
    return signPayload(this.#secret, 'view', { s: sessionId, k: keyId, e: expiresAt, c: mayControl });
  }

  /** What such a token allows; undefined when this platform did not make it, or its time is over. */
  readView(token: string, now: number = Date.now()): ViewGrant | undefined {
    const payload = readPayload(this.#secret, 'view', token);
    if (payload === undefined) return undefined;
    const { s, k, e, c } = viewPayload.parse(payload);
    return e > now ? { sessionId: s, keyId: k, expiresAt: e, mayControl: c } : undefined;
  }

  /** A token for who has shown a key. */
  signSignIn({ keyId, expiresAt }: SignInGrant): string {
    return signPayload(this.#secret, 'sign-in', { k: keyId, e: expiresAt });
  }

  /** Who has shown it; undefined when this platform did not make it, or its time is over. */
  readSignIn(token: string, now: number = Date.now()): SignInGrant | undefined {
    const payload = readPayload(this.#secret, 'sign-in', token);
    if (payload === undefined) return undefined;
    const { k, e } = signInPayload.parse(payload);
    return e > now ? { keyId: k, expiresAt: e } : undefined;
  }
}
