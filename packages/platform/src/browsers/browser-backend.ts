import type { Readable } from 'node:stream';
import type { UpstreamProxy } from '../egress/egress-proxy.ts';
import type { PartState } from '../reachability.ts';
import type { DevToolsFile } from './devtools-file.ts';

/** Requirements of a browser for one session. All fields are validated before. */
export interface BrowserRequest {
  /** The session it is for. */
  readonly sessionId: string;
  readonly viewport: { readonly width: number; readonly height: number } | undefined;
  readonly userAgent: string | undefined;
  readonly ignoreHTTPSErrors: boolean;
  readonly proxy: UpstreamProxy | undefined;
}

/** A file that a browser downloaded. */
export interface DownloadedFile {
  /** Bytes. */
  readonly size: number;
  /** Must be read or destroyed: it may hold a connection to another machine. */
  readonly content: Readable;
}

/** A browser started for one session. Its URL is a secret: whoever has it controls the browser. */
export interface RentedBrowser {
  readonly sessionId: string;
  /** Its DevTools WebSocket URL. */
  readonly url: string;
  /** Folder for its downloads on the browser's machine. */
  readonly downloads: string;
  /** Returns the bytes in that folder, including unfinished files. Missing if the folder is on another machine. */
  bytesInDownloads?(): Promise<number>;
  /** Maximum size of a message to it in bytes. */
  readonly maxMessageBytes: number;
  /** Asks its host whether it is alive. Undefined if a closed socket already proves that it is dead. */
  state?(): Promise<BrowserState>;
  /**
   * The Grid node it runs on, `host:port`. Undefined if the Grid does not report it. Missing for browsers of this
   * machine.
   */
  node?(): Promise<string | undefined>;
  /** Handle with which another server can adopt it, as secret as its URL. Missing if it ends with this server. */
  readonly handle?: string;
  /** Opens a downloaded file by its name in the download folder. Resolves with `undefined` if it does not exist. */
  openDownload(name: string): Promise<DownloadedFile | undefined>;
  /**
   * Opens a file of the matching DevTools frontend. Resolves with `undefined` if it does not exist. Rejects with a
   * message for the user if DevTools are unavailable.
   */
  openDevTools(name: string): Promise<DevToolsFile | undefined>;
  /** Releases this server's resources, because another server adopts the browser. */
  leave?(): Promise<void>;
  /** Ends the browser and removes everything it left. Idempotent. */
  end(): Promise<void>;
}

/**
 * State of a browser on another machine: `silent` if the machine is unreachable, `frozen` if it accepts a request and does not answer in
 * time, `unknown` if no host could be asked.
 */
export type BrowserState = 'alive' | 'gone' | 'silent' | 'frozen' | 'unknown';

/** A running browser, started by any server. */
export type RunningBrowser = Pick<RentedBrowser, 'sessionId' | 'end'>;

/** Source of browsers: this machine or Selenium Grids. */
export interface BrowserBackend {
  /** Maximum number of browsers, as currently known. */
  readonly capacity: number;
  /** Reachability of the Grids. Undefined for browsers of this machine. */
  readonly states?: readonly PartState[];
  /** Number of warm browsers, if the backend keeps any. */
  readonly ready?: number;
  /** Rejects an unsupported request before a place is reserved. */
  check?(request: BrowserRequest): Promise<void>;
  /** Waits until a browser can be started. Rejects with `no_capacity` if none can. */
  admit(signal: AbortSignal): Promise<void>;
  /** Starts a browser. Cleans up if it fails or is aborted. */
  start(request: BrowserRequest, signal: AbortSignal): Promise<RentedBrowser>;
  /** All running browsers of this platform on any server, including orphaned ones. */
  running(): Promise<readonly RunningBrowser[]>;
  /**
   * Adopts a browser of another server by its handle. Resolves with `undefined` if it is gone. Only for backends whose
   * browsers outlive a server; all servers share their capacity.
   */
  adopt?(sessionId: string, handle: string, signal: AbortSignal): Promise<RentedBrowser | undefined>;
  /** Ends every browser that ends with this server. */
  close(): Promise<void>;
}
