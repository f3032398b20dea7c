import { createHmac, timingSafeEqual } from 'node:crypto';

/** Signs a payload for one purpose. Reading it for another purpose fails. */
export function signPayload(secret: string, purpose: string, payload: object): string {
  const text = Buffer.from(JSON.stringify(payload)).toString('base64url');
  return `${text}.${signatureOf(secret, purpose, text).toString('base64url')}`;
}

/** Returns the parsed payload, or `undefined` if it was not signed with this secret for this purpose. */
export function readPayload(secret: string, purpose: string, token: string): unknown {
  const [text = '', signature = '', ...rest] = token.split('.');
  const given = Buffer.from(signature, 'base64url');
  const right = signatureOf(secret, purpose, text);
  if (rest.length > 0 || given.length !== right.length || !timingSafeEqual(given, right)) return undefined;
  return JSON.parse(Buffer.from(text, 'base64url').toString());
}

function signatureOf(secret: string, purpose: string, text: string): Buffer {
  return createHmac('sha256', secret).update(`${purpose}.${text}`).digest();
}
