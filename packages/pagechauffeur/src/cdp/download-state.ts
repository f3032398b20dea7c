/** How a download ended. */
export type DownloadEnd =
  /** Where the file is. */
  { readonly kind: 'completed'; readonly path: string } | { readonly kind: 'failed'; readonly reason: string };

/** One download of the browser, as far as it has come. */
export interface DownloadState {
  readonly id: string;
  readonly url: string;
  readonly suggestedFilename: string;
  /** Settled when it has ended; never rejected. */
  readonly ended: Promise<DownloadEnd>;
  cancel(): Promise<void>;
}
