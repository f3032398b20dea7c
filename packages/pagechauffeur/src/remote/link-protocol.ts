/**
 * WebSocket subprotocol for CDP connections that survive the loss of their socket.
 *
 * Text frames are CDP messages, numbered implicitly from 1 in each direction. Binary frames are {@link LinkNote}s as
 * JSON: each side regularly confirms what it received, and keeps sent messages until the other side confirms them. The
 * platform's first note on each socket names the link. To resume a link, the client opens a new socket with `link` and
 * `received` in the URL, and both sides resend what is missing.
 */
export const LINK_PROTOCOL = 'chauffeur.link.v1';

/** Control message of a link. */
export interface LinkNote {
  /** The link's secret name. The platform sends it in its first note on each socket. */
  readonly link?: string;
  /** Number of messages received. */
  readonly received: number;
  /** True while an operator controls the browser. Sent only by the platform. */
  readonly isTakenOver?: boolean;
}

/** Received messages or characters after which a side confirms. */
const CONFIRM_MESSAGES = 32;
const CONFIRM_CHARACTERS = 1024 * 1024;

/**
 * Close codes that the platform sends. None of these links can be resumed. The session has ended after `sessionEnded`
 * and `browserLost`, and continues after `handedOver`. After the other codes, it may continue.
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

  /** Counts a message. Returns true if a confirmation is due. */
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
    // Invalid JSON. The platform then closes the link; the driver ignores the note.
    return undefined;
  }
}
