import type { Readable } from 'node:stream';
import type { UpstreamProxy } from '../egress/egress-proxy.ts';
import type { PartState } from '../reachability.ts';
import type { DevToolsFile } from './devtools-file.ts';

/** Browser settings from a validated create-session request. */
export interface BrowserRequest {
  readonly sessionId: string;
  readonly viewport: { readonly width: number; readonly height: number } | undefined;
  readonly userAgent: string | undefined;
  readonly ignoreHTTPSErrors: boolean;
  readonly proxy: UpstreamProxy | undefined;
}

export interface DownloadedFile {
  /** In bytes. */
  readonly size: number;
  /** Read or destroy this stream: it may keep a connection to a remote browser open. */
  readonly content: Readable;
}

/** A browser started for one session. The `url` is a secret: anyone who has it controls the browser. */
export interface RentedBrowser {
  readonly sessionId: string;
  /** DevTools WebSocket URL. */
  readonly url: string;
  /** Download folder on the browser's machine. */
  readonly downloads: string;
  /** Returns the total size of the download folder, including unfinished files. Missing for remote browsers. */
  bytesInDownloads?(): Promise<number>;
  /** Largest CDP message that the browser, or the router in front of it, accepts. */
  readonly maxMessageBytes: number;
  /**
   * Queries the browser's state through the Grid. Missing for local browsers: a closed socket proves that they exited.
   */
  state?(): Promise<BrowserState>;
  /**
   * Returns the Grid node as `host:port`, or `undefined` if the Grid does not list the session. Missing for local
   * browsers.
   */
  node?(): Promise<string | undefined>;
  /** Lets another server adopt the browser. Secret, like `url`. Missing if the browser ends with this server. */
  readonly handle?: string;
  /** Opens a file in the download folder. Resolves with `undefined` if it does not exist. */
  openDownload(name: string): Promise<DownloadedFile | undefined>;
  /**
   * Opens a file of the DevTools frontend that matches the browser's version. Resolves with `undefined` if the file
   * does not exist. Rejects with a `PlatformError` if there is no matching frontend.
   */
  openDevTools(name: string): Promise<DevToolsFile | undefined>;
  /** Releases this server's resources before another server adopts the browser. */
  leave?(): Promise<void>;
  /** Ends the browser and removes its files. Further calls return the same promise. */
  end(): Promise<void>;
}

/**
 * `silent`: the Grid responds, but cannot reach the browser; `frozen`: the browser does not respond within 4 s;
 * `unknown`: the Grid itself does not respond in time.
 */
export type BrowserState = 'alive' | 'gone' | 'silent' | 'frozen' | 'unknown';

/** A running browser that any server started. `sessionId` is empty if no session uses it. */
export type RunningBrowser = Pick<RentedBrowser, 'sessionId' | 'end'>;

/** Starts and ends browsers, on this machine or on Selenium Grids. */
export interface BrowserBackend {
  /** Maximum number of concurrent browsers. With Grids, changes when nodes join or leave. */
  readonly capacity: number;
  /** Reachability of each Grid. Missing for local browsers. */
  readonly states?: readonly PartState[];
  /** Number of warm browsers. Missing if the backend keeps none. */
  readonly ready?: number;
  /** Rejects if browsers may not reach the request's proxy. */
  check?(request: BrowserRequest): Promise<void>;
  /** Waits until a browser can be started. Rejects with `no_capacity` after the queue timeout. */
  admit(signal: AbortSignal): Promise<void>;
  /** Starts a browser. Cleans up after a failure or abort. */
  start(request: BrowserRequest, signal: AbortSignal): Promise<RentedBrowser>;
  /**
   * Returns all running browsers of this platform. On Grids, includes browsers of other servers and browsers without a
   * session.
   */
  running(): Promise<readonly RunningBrowser[]>;
  /**
   * Adopts a browser that another server started. Resolves with `undefined` if the browser is gone. Missing for local
   * browsers. Servers whose backend has this method share its capacity.
   */
  adopt?(sessionId: string, handle: string, signal: AbortSignal): Promise<RentedBrowser | undefined>;
  /** Ends local browsers. Grid browsers keep running for other servers. */
  close(): Promise<void>;
}
