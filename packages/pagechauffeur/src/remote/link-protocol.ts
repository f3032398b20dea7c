/**
 * A connection to a remote browser that survives the loss of its socket. Text frames are CDP messages, implicitly
 * numbered from 1 in
 * each direction. Binary frames contain a {@link LinkNote} as JSON: each side regularly confirms
 * what it received, and keeps sent messages until then. The platform's first note names the link. The side that lost
 * the socket opens a new one with `link` and `received` in the URL, and both sides resend what is missing.
 */
export const LINK_PROTOCOL = 'chauffeur.link.v1';

/** Control message of a link. */
export interface LinkNote {
  /** The link's secret name. Only in the platform's first note. */
  readonly link?: string;
  /** Number of messages received. */
  readonly received: number;
  /** Whether an operator controls the browser. Only in notes of the platform that report it. */
  readonly isTakenOver?: boolean;
}

/** A side confirms after this many messages or characters. */
const CONFIRM_MESSAGES = 32;
const CONFIRM_CHARACTERS = 1024 * 1024;

/**
 * Close codes above 3999 belong to the platform. After them no link can be resumed. The session continues after
 * `handedOver`, and
 * after `browserCut` if its browser lives and can be reached again.
 */
export const LINK_CLOSE = {
  sessionEnded: 4001,
  linkUnknown: 4002,
  badMessage: 4003,
  browserLost: 4004,
  handedOver: 4005,
  browserCut: 4006,
} as const;

/** Counts received messages and decides when to confirm them. */
export class Inbox {
  received = 0;
  #confirmed = 0;
  #characters = 0;

  /** Counts a message. Returns true if it is time to confirm. */
  add(message: { readonly length: number }): boolean {
    this.received += 1;
    this.#characters += message.length;
    return this.received - this.#confirmed >= CONFIRM_MESSAGES || this.#characters >= CONFIRM_CHARACTERS;
  }

  /** Returns the note that confirms all received messages. */
  note(): Buffer {
    this.#confirmed = this.received;
    this.#characters = 0;
    return writeNote({ received: this.received });
  }
}

/** Serializes a note. */
export function writeNote(note: LinkNote): Buffer {
  return Buffer.from(JSON.stringify(note));
}

/** Parses a note. Returns `undefined` if it is invalid. */
export function readNote(data: string): LinkNote | undefined {
  try {
    const { link, received, isTakenOver } = JSON.parse(data) as Partial<LinkNote>;
    if (typeof received !== 'number' || !Number.isInteger(received)) return undefined;
    return {
      received,
      ...(typeof link === 'string' ? { link } : {}),
      ...(typeof isTakenOver === 'boolean' ? { isTakenOver } : {}),
    };
  } catch {
    // The peer does not speak the protocol. The caller closes the link.
    return undefined;
  }
}
