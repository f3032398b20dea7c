import type { Recovery } from '../errors.ts';

/** A message of the browser. Large ones are not decoded yet, because most of their text may be cut. */
export type IncomingMessage = string | Buffer;

/** A raw connection to a browser: text messages in both directions. */
export interface Transport {
  send(message: string): void;
  /** Closes the connection. `onClose` is called once it is closed. */
  close(): void;
  onMessage: (message: IncomingMessage) => void;
  /** Receives the reason and, if known, advice for the user and a sentence from the peer. */
  onClose: (reason: string, recovery?: Recovery, said?: string) => void;
}

/** Settings for the connection to a browser's socket. */
export interface TransportOptions {
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}
