import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { PlatformError } from '../errors.ts';

/** What is kept encrypted begins so; anything else was stored in clear. */
const MARK = 'aes-256-gcm:';
const IV_BYTES = 12;
const TAG_BYTES = 16;
const KEY_BYTES = 32;
const MIN_CHARACTERS = 32;

/**
 * Encrypts the secrets of a store, each for its place: moved to another one it cannot be read. Without a key they are stored in clear,
 * and what was encrypted cannot be read.
 */
export class SecretBox {
  readonly #key: Buffer | undefined;

  /** `text` comes from the environment; every server of a store has the same. */
  constructor(text: string | undefined) {
    if (text !== undefined && text.length < MIN_CHARACTERS)
      throw new PlatformError(
        'invalid_request',
        `CHAUFFEUR_SECRET_KEY must have ${MIN_CHARACTERS} characters or more; \`openssl rand -base64 32\` makes one.`,
      );
    this.#key =
      text === undefined ? undefined : Buffer.from(hkdfSync('sha256', text, '', 'chauffeur store', KEY_BYTES));
  }

  /** Whether a value as it is stored is to be written anew, because it stands there in clear. */
  isToSeal(stored: string): boolean {
    return this.#key !== undefined && !stored.startsWith(MARK);
  }

  /** A secret as it is stored. */
  seal(place: string, secret: string): string {
    if (!this.#key) return secret;
    const iv = randomBytes(IV_BYTES);
    const cipher = createCipheriv('aes-256-gcm', this.#key, iv).setAAD(Buffer.from(place));
    const content = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()]);
    return MARK + Buffer.concat([iv, cipher.getAuthTag(), content]).toString('base64url');
  }

  /** A secret of what is stored. */
  open(place: string, stored: string): string {
    if (!stored.startsWith(MARK)) return stored;
    if (!this.#key)
      throw new PlatformError(
        'invalid_request',
        'The secrets of this store are encrypted. Set CHAUFFEUR_SECRET_KEY to the key that its servers have.',
      );
    const bytes = Buffer.from(stored.slice(MARK.length), 'base64url');
    const iv = bytes.subarray(0, IV_BYTES);
    const tag = bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES);
    try {
      const decipher = createDecipheriv('aes-256-gcm', this.#key, iv, { authTagLength: TAG_BYTES });
      decipher.setAAD(Buffer.from(place)).setAuthTag(tag);
      return decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES), undefined, 'utf8') + decipher.final('utf8');
    } catch (error) {
      throw new PlatformError(
        'invalid_request',
        'CHAUFFEUR_SECRET_KEY is not the key that the secrets of this store were encrypted with. Set the one that its servers have had; ' +
          'where that is lost, remove the rows of its table `secrets`, which ends the tokens that were given out.',
        { cause: error },
      );
    }
  }
}
