/** The end of a download. */
export type DownloadEnd =
  /** The file's path. */
  { readonly kind: 'completed'; readonly path: string } | { readonly kind: 'failed'; readonly reason: string };

/** A download and its current state. */
export interface DownloadState {
  readonly id: string;
  readonly url: string;
  readonly suggestedFilename: string;
  /** Resolves when the download ends. Never rejects. */
  readonly ended: Promise<DownloadEnd>;
  cancel(): Promise<void>;
}
