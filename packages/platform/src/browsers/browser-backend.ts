import type { Readable } from 'node:stream';
import type { UpstreamProxy } from '../egress/egress-proxy.ts';
import type { PartState } from '../reachability.ts';
import type { DevToolsFile } from './devtools-file.ts';

/** What a browser that is to be rented out must be like. Nothing of it comes from a tenant unchecked. */
export interface BrowserRequest {
  /** The session that it is for. */
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
  /** To be read or destroyed: it may hold a way to another machine open. */
  readonly content: Readable;
}

/** A browser that was started for one session. Its address is a secret: whoever has it has the browser. */
export interface RentedBrowser {
  readonly sessionId: string;
  /** Its DevTools socket. */
  readonly url: string;
  /** Folder on the browser's machine for what it downloads. */
  readonly downloads: string;
  /** Bytes that one message to it may have. */
  readonly maxMessageBytes: number;
  /** Asks whoever runs it what became of it; undefined where a socket that closes says as much. */
  state?(): Promise<BrowserState>;
  /** The node of a Grid that it runs on, `host:port`; undefined if the Grid does not say. Not given for browsers of this machine. */
  node?(): Promise<string | undefined>;
  /** What another server needs to go on with it, as secret as its address; not given when it ends with this server. */
  readonly handle?: string;
  /** A file that it downloaded, by its name in that folder; undefined when there is none. */
  openDownload(name: string): Promise<DownloadedFile | undefined>;
  /** A file of DevTools that fit it, by its name; undefined when there is none. Refuses, with words for people, where they cannot be had. */
  openDevTools(name: string): Promise<DevToolsFile | undefined>;
  /** Gives back what this server has of it, because another server goes on with it. */
  leave?(): Promise<void>;
  /** Ends it and removes all it left; doing so again changes nothing. */
  end(): Promise<void>;
}

/**
 * What is known of a browser elsewhere: `silent` when its machine cannot be reached, `frozen` when the machine takes a question and
 * does not answer in time, `unknown` when nobody could be asked.
 */
export type BrowserState = 'alive' | 'gone' | 'silent' | 'frozen' | 'unknown';

/** A browser that runs, whether or not this server started it. */
export type RunningBrowser = Pick<RentedBrowser, 'sessionId' | 'end'>;

/** Where browsers come from: this machine, or machines behind a grid. */
export interface BrowserBackend {
  /** Browsers that may run at once, as far as is known now. */
  readonly capacity: number;
  /** Whether what runs the browsers can be reached, where that is not this server. */
  readonly states?: readonly PartState[];
  /** Browsers that run already and wait for a session, where there are such. */
  readonly ready?: number;
  /** Refuses a request by what is known before there is a place for it. */
  check?(request: BrowserRequest): Promise<void>;
  /** Waits until a browser can be started; `no_capacity` when none can. */
  admit(signal: AbortSignal): Promise<void>;
  /** Starts a browser. What was begun is undone when it fails or is aborted. */
  start(request: BrowserRequest, signal: AbortSignal): Promise<RentedBrowser>;
  /** The browsers of this platform that run now, on whatever server, whether or not somebody still needs them. */
  running(): Promise<readonly RunningBrowser[]>;
  /**
   * Goes on with a browser that another server started, by its handle; undefined when it is gone. Only backends whose
   * browsers outlive a server have this. The places of such a backend are those of all servers together.
   */
  adopt?(sessionId: string, handle: string, signal: AbortSignal): Promise<RentedBrowser | undefined>;
  /** Ends every browser that ends with this server. */
  close(): Promise<void>;
}
