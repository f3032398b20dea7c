import type { Recovery } from '../errors.ts';

/** The raw pipe to a browser: whole text messages in both directions. */
export interface Transport {
  send(message: string): void;
  /** Ends the connection; `onClose` is called once it has ended. */
  close(): void;
  onMessage: (message: string) => void;
  /** Takes why it has ended, and where that is known, what can be done now. */
  onClose: (reason: string, recovery?: Recovery) => void;
}

/** How to reach a browser's socket. */
export interface TransportOptions {
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}
