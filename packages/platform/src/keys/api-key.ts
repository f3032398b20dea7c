import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

const KEY = /^ck_([0-9a-f]{16})\.([\w-]{43})$/;

/** Creates a key. `text` is shown once; the store keeps only `secretHash`. */
export function makeApiKey(id: string = randomBytes(8).toString('hex')): {
  readonly id: string;
  readonly secretHash: string;
  readonly text: string;
} {
  const secret = randomBytes(32).toString('base64url');
  return { id, secretHash: hashSecret(secret), text: `ck_${id}.${secret}` };
}

/** Splits a key into id and secret. Returns `undefined` if it is malformed. */
export function readApiKey(text: string): { readonly id: string; readonly secret: string } | undefined {
  const [, id, secret] = KEY.exec(text) ?? [];
  return id === undefined || secret === undefined ? undefined : { id, secret };
}

/** Compares in constant time. */
export function isSecret(secret: string, secretHash: string): boolean {
  // The secret has 256 random bits, so a single SHA-256 is enough.
  return timingSafeEqual(Buffer.from(hashSecret(secret), 'hex'), Buffer.from(secretHash, 'hex'));
}

function hashSecret(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}
