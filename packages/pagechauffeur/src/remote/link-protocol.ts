/**
 * How a connection to a remote browser outlives its socket. Text frames are the browser's protocol, numbered from 1 in
 * each direction by their order alone. Binary frames carry a {@link LinkNote} in JSON: each side confirms now and then
 * what it has received, and keeps what it sent until then. The platform begins with a note that names the link. Who lost
 * the socket opens another with `link` and `received` in the address, and both sides send again what is missing.
 */
export const LINK_PROTOCOL = 'chauffeur.link.v1';

/** What one side tells the other about the link itself. */
export interface LinkNote {
  /** The link's name, a secret; only in the first note of the platform. */
  readonly link?: string;
  /** How many messages have come. */
  readonly received: number;
  /** Whether a person works in the browser; only in notes of the platform that say so. */
  readonly isTakenOver?: boolean;
}

/** After so many messages, or characters, that came, a side confirms them. */
const CONFIRM_MESSAGES = 32;
const CONFIRM_CHARACTERS = 1024 * 1024;

/**
 * Close codes above 3999 are the platform's; after these no link can be resumed. After `handedOver` the session goes on, and
 * after `browserCut` as well when its browser lives and can be reached again.
 */
export const LINK_CLOSE = {
  sessionEnded: 4001,
  linkUnknown: 4002,
  badMessage: 4003,
  browserLost: 4004,
  handedOver: 4005,
  browserCut: 4006,
} as const;

/** Counts what comes in, and says when it is time to confirm it. */
export class Inbox {
  received = 0;
  #confirmed = 0;
  #characters = 0;

  /** A message came; whether it is time to confirm. */
  add(message: string): boolean {
    this.received += 1;
    this.#characters += message.length;
    return this.received - this.#confirmed >= CONFIRM_MESSAGES || this.#characters >= CONFIRM_CHARACTERS;
  }

  /** The note that confirms all that came. */
  note(): Buffer {
    this.#confirmed = this.received;
    this.#characters = 0;
    return writeNote({ received: this.received });
  }
}

/** A note as it goes over the wire. */
export function writeNote(note: LinkNote): Buffer {
  return Buffer.from(JSON.stringify(note));
}

/** A note that came; undefined when it is none. */
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
    // Whoever sends this does not speak the protocol; the caller ends the link.
    return undefined;
  }
}
