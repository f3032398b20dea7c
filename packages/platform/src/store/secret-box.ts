import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { PlatformError } from '../errors.ts';

/** Prefix of encrypted values. All others are plaintext. */
const MARK = 'aes-256-gcm:';
const IV_BYTES = 12;
const TAG_BYTES = 16;
const KEY_BYTES = 32;
const MIN_CHARACTERS = 32;

/**
 * Encrypts the secrets of a store with AES-256-GCM. The location of a secret is authenticated, so a value that was
 * moved to another row or column cannot be decrypted. Without a key, stores plaintext and throws for encrypted values.
 */
export class SecretBox {
  readonly #key: Buffer | undefined;

  /** `text` is CHAUFFEUR_SECRET_KEY, the same for all servers with this store. */
  constructor(text: string | undefined) {
    if (text !== undefined && text.length < MIN_CHARACTERS)
      throw new PlatformError(
        'invalid_request',
        `CHAUFFEUR_SECRET_KEY must have at least ${MIN_CHARACTERS} characters. Create one with \`openssl rand -base64 32\`.`,
      );
    this.#key =
      text === undefined ? undefined : Buffer.from(hkdfSync('sha256', text, '', 'chauffeur store', KEY_BYTES));
  }

  /** True if a key is set and the stored value is plaintext. */
  needsSealing(stored: string): boolean {
    return this.#key !== undefined && !stored.startsWith(MARK);
  }

  seal(context: string, secret: string): string {
    if (!this.#key) return secret;
    const iv = randomBytes(IV_BYTES);
    const cipher = createCipheriv('aes-256-gcm', this.#key, iv).setAAD(Buffer.from(context));
    const content = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()]);
    return MARK + Buffer.concat([iv, cipher.getAuthTag(), content]).toString('base64url');
  }

  /** Decrypts a value from `seal`. Returns plaintext values unchanged. */
  open(context: string, stored: string): string {
    if (!stored.startsWith(MARK)) return stored;
    if (!this.#key)
      throw new PlatformError(
        'invalid_request',
        'The secrets of this store are encrypted. Set CHAUFFEUR_SECRET_KEY to the key of its servers.',
      );
    const bytes = Buffer.from(stored.slice(MARK.length), 'base64url');
    const iv = bytes.subarray(0, IV_BYTES);
    const tag = bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES);
    try {
      const decipher = createDecipheriv('aes-256-gcm', this.#key, iv, { authTagLength: TAG_BYTES });
      decipher.setAAD(Buffer.from(context)).setAuthTag(tag);
      return decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES), undefined, 'utf8') + decipher.final('utf8');
    } catch (error) {
      throw new PlatformError(
        'invalid_request',
        'CHAUFFEUR_SECRET_KEY is not the key that encrypted the secrets of this store. Set the key that its servers used. ' +
          'If it is lost, delete the rows of the table `secrets`, which invalidates all issued tokens.',
        { cause: error },
      );
    }
  }
}
