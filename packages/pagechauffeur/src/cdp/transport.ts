import type { Recovery } from '../errors.ts';

/** A raw connection to a browser: text messages in both directions. */
export interface Transport {
  send(message: string): void;
  /** Closes the connection. `onClose` is called once it is closed. */
  close(): void;
  onMessage: (message: string) => void;
  /** Receives the reason and, if known, what the user can do, and what the peer said about it: a sentence. */
  onClose: (reason: string, recovery?: Recovery, said?: string) => void;
}

/** How to connect to a browser's socket. */
export interface TransportOptions {
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}
