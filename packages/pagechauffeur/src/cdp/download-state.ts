export type DownloadEnd =
  /** `path` is on this machine, or on that of the browser at `cdpUrl`. */
  | { readonly kind: 'completed'; readonly path: string }
  /** `reason` has no full stop. `cause` is the error of a failed copy. */
  | { readonly kind: 'failed'; readonly reason: string; readonly cause?: unknown };

export interface DownloadState {
  readonly id: string;
  readonly url: string;
  readonly suggestedFilename: string;
  /** Resolves when the download has completed or failed. Never rejects. */
  readonly ended: Promise<DownloadEnd>;
  cancel(): Promise<void>;
}
