import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

const KEY = /^ck_([0-9a-f]{16})\.([\w-]{43})$/;

/** A new key: its parts to store, and the text that is told once and never kept. */
export function makeApiKey(id: string = randomBytes(8).toString('hex')): {
  readonly id: string;
  readonly secretHash: string;
  readonly text: string;
} {
  const secret = randomBytes(32).toString('base64url');
  return { id, secretHash: hashSecret(secret), text: `ck_${id}.${secret}` };
}

/** The parts of a key as a request brings it; undefined when it is none. */
export function readApiKey(text: string): { readonly id: string; readonly secret: string } | undefined {
  const [, id, secret] = KEY.exec(text) ?? [];
  return id === undefined || secret === undefined ? undefined : { id, secret };
}

/** Whether a secret is the one that was hashed, in a time that tells nothing of it. */
export function isSecret(secret: string, secretHash: string): boolean {
  // The secret is 256 random bits, so one round is as good as many.
  return timingSafeEqual(Buffer.from(hashSecret(secret), 'hex'), Buffer.from(secretHash, 'hex'));
}

function hashSecret(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}
