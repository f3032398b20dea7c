import type { Recovery } from '../errors.ts';

/** A message from the browser. Large ones are not decoded yet, because most of their text may be cut. */
export type IncomingMessage = string | Buffer;

/** The socket or pipe of a {@link Connection}. */
export interface Transport {
  send(message: string): void;
  /** `onClose` is called once the connection is closed. */
  close(): void;
  onMessage: (message: IncomingMessage) => void;
  /** `recovery` is advice for the user. `serverMessage` is the server's own message. */
  onClose: (reason: string, recovery?: Recovery, serverMessage?: string) => void;
}

export interface TransportOptions {
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}
