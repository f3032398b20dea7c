/** An application that was started and answers. */
export interface RunningApp {
  /** The address of its first page, on 127.0.0.1. */
  readonly url: string;
  /** Ends its processes and removes its temporary files. */
  close(): Promise<void>;
}

/** An application did not start. */
export class AppStartError extends Error {
  override readonly name = 'AppStartError';
}
