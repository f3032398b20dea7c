import type { ProxyOptions } from '../launch/proxy-settings.ts';
import type { LanguageModelObject, LLMClient, ModelConfiguration } from '../model/model-configuration.ts';
import type { RemoteServiceName } from '../remote/open-service.ts';
import type { Logger, LogLevel } from '../util/log.ts';

/** How a local browser is started, or which one is attached to. */
export interface LocalBrowserLaunchOptions {
  /** Without a window; default true. */
  headless?: boolean;
  /** Path of the Chrome or Chromium executable; default: that in `CHROME_PATH`, else the one found on this machine. */
  executablePath?: string | undefined;
  /** Port of the DevTools protocol; default: chosen by the browser. */
  port?: number;
  /** Launch arguments after the default ones. */
  args?: readonly string[];
  /** Default arguments to leave out: all of them (`true`), or those of this list; default false. */
  ignoreDefaultArgs?: boolean | readonly string[];
  /** Profile folder; default: a temporary one, removed when the browser ends. */
  userDataDir?: string;
  /**
   * Size of the viewport in CSS pixels; default: 1280 × 720 when headless, else the window's. A popup that asks for
   * `width=…,height=…` gets that size.
   */
  viewport?: { readonly width: number; readonly height: number };
  /** Opens DevTools for each page; default false. */
  devtools?: boolean;
  /** Proxy server for all requests. */
  proxy?: ProxyOptions;
  /** Accepts certificates that are not trusted; default false. */
  ignoreHTTPSErrors?: boolean;
  /** Attaches to a running browser instead of starting one: `ws://…` or `http://host:port`. It is never killed. */
  cdpUrl?: string | undefined;
  /** HTTP headers for the connection to `cdpUrl`. */
  cdpHeaders?: Readonly<Record<string, string>>;
}

/** What a `Driver` is made with. Only `env` must be given. */
export interface DriverOptions {
  /** Where the browser runs: on this machine, or rented from a platform. */
  env: 'LOCAL' | 'REMOTE';
  /** Key of the remote platform; else `REMOTE_API_KEY`. */
  apiKey?: string | undefined;
  /** Whom remote browsers are rented from: a platform of ours, another service, or nobody but a DevTools address; default `chauffeur`. */
  remoteService?: RemoteServiceName;
  /** Address of the remote platform; else `REMOTE_API_URL`, else `http://127.0.0.1:4600`, or the service's own. */
  remoteBaseURL?: string | undefined;
  /** Goes on with this remote session instead of creating one. */
  remoteSessionID?: string;
  /** What the remote session is to be like: `viewport`, `proxy`, `userAgent`, `timeout`, `keepAlive`, `metadata` and more; docs/remote.md lists them. */
  remoteSessionCreateParams?: Readonly<Record<string, unknown>>;
  /** How a local browser is started, or which running one is attached to; without effect for `REMOTE`, but for `cdpHeaders`. */
  localBrowserLaunchOptions?: LocalBrowserLaunchOptions;
  /** The model for all verbs; default: by the first provider key in the environment. */
  model?: ModelConfiguration;
  /** A model client of your own, or an AI SDK model object; used when `model` is not given. */
  llmClient?: LLMClient | LanguageModelObject;
  /** Added to the system prompt of every verb. */
  systemPrompt?: string;
  /** Whether a step that failed may be tried on the element found anew; default true. */
  selfHeal?: boolean;
  /** Enables features that may change without notice; default false. */
  experimental?: boolean;
  /** Milliseconds at most until a page counts as settled; default 30000. */
  domSettleTimeout?: number;
  /** How pages are shown to models and by `page.snapshot()`. */
  snapshot?: {
    /** About how many tokens a page's text may have; above that, what repeats is folded. Default 6500; `Infinity` never folds. */
    readonly tokenBudget?: number;
  };
  /** Milliseconds that page and locator calls may take when they do not say; default 30000. */
  defaultTimeout?: number;
  /**
   * Hosts that pages may send requests to, such as `example.com`, `*.example.com` and `localhost:3000`, until the driver is
   * closed; default: all.
   */
  allowedDomains?: readonly string[];
  /** Hosts that pages may never send requests to, whether or not they are allowed. */
  blockedDomains?: readonly string[];
  /** Folder in which `act` and `observe` keep what they found out, to do it again without a model; default: none is kept. */
  cacheDir?: string;
  /** Which query parameters of a page's address tell cached calls apart: all, none, or those named; default all. */
  cacheQuery?: 'all' | 'none' | readonly string[];
  /**
   * Folder for downloads, which have random names there until `download.saveAs()`; default: a temporary one, removed on
   * `close()`.
   */
  downloadsPath?: string;
  /** Whether downloads are accepted; default true. */
  acceptDownloads?: boolean;
  /** The browser outlives `close()` and this process; default false. */
  keepAlive?: boolean;
  /** Caching on the remote platform; default true, without effect for `LOCAL`. */
  serverCache?: boolean;
  /** 0: minimal, 1: a line per step, 2: details; default 1. */
  verbose?: LogLevel;
  /** Appends each question to a model and its answer to a file under `inference/`; default false. */
  logInferenceToFile?: boolean;
  /** Turns off the default log on standard error; default false. */
  disableLoggerBackend?: boolean;
  /** Receives every log line instead of the default backend. */
  logger?: Logger;
  /** Ends every call and the driver itself when aborted. */
  signal?: AbortSignal;
}
