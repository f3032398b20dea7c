import type { ProxyOptions } from '../launch/proxy-settings.ts';
import type { LanguageModelObject, LLMClient, ModelConfiguration } from '../model/model-configuration.ts';
import type { RemoteServiceName } from '../remote/open-service.ts';
import type { Logger, LogLevel } from '../util/log.ts';

/** Options for a local browser: how to start one, or which one to attach to. */
export interface LocalBrowserLaunchOptions {
  /** Runs without a window. Default: true. */
  headless?: boolean;
  /** Path of a Chrome or Chromium executable. Default: `CHROME_PATH`, else a browser found on this machine. */
  executablePath?: string | undefined;
  /** DevTools port. Default: chosen by the browser. */
  port?: number;
  /** Command-line arguments, added after the default ones. */
  args?: readonly string[];
  /** Default arguments to omit: all (`true`) or the listed ones. Default: false. */
  ignoreDefaultArgs?: boolean | readonly string[];
  /** Profile folder. Default: a temporary one, removed together with the browser. */
  userDataDir?: string;
  /**
   * Viewport size in CSS pixels. Default: 1280 × 720 if headless, unless `cdpUrl` or `--window-size` is set; otherwise
   * the window's size. A popup that requests `width=…,height=…` gets that size.
   */
  viewport?: { readonly width: number; readonly height: number };
  /** Opens DevTools for each page. Default: false. */
  devtools?: boolean;
  /** Proxy server for all requests. */
  proxy?: ProxyOptions;
  /** Accepts untrusted certificates. Default: false. */
  ignoreHTTPSErrors?: boolean;
  /**
   * Attaches to a running browser instead of starting one: `ws://…` or `http://host:port`. The driver never kills it.
   */
  cdpUrl?: string | undefined;
  /** HTTP headers for the connection to `cdpUrl`. */
  cdpHeaders?: Readonly<Record<string, string>>;
}

/**
 * Options of a {@link Driver}. Only `env` is required.
 * @example
 * const driver = new Driver({ env: 'LOCAL', model: 'openai/gpt-5', cacheDir: '.cache/pages' });
 */
export interface DriverOptions {
  /** Where the browser runs: `LOCAL` on this machine, `REMOTE` on a platform. */
  env: 'LOCAL' | 'REMOTE';
  /** API key of the remote platform. Default: `REMOTE_API_KEY`. */
  apiKey?: string | undefined;
  /** Provider of remote browsers. Default: `chauffeur`, a chauffeur platform. `cdp` is any DevTools URL. */
  remoteService?: RemoteServiceName;
  /**
   * URL of the remote platform. Default: `REMOTE_API_URL`, else `http://127.0.0.1:4600` for `chauffeur`, or the URL of
   * the other service.
   */
  remoteBaseURL?: string | undefined;
  /** Resumes this remote session instead of creating one. */
  remoteSessionID?: string;
  /**
   * Parameters for a new remote session: `viewport`, `proxy`, `userAgent`, `timeout`, `keepAlive`, `metadata` and more.
   * See docs/remote.md.
   */
  remoteSessionCreateParams?: Readonly<Record<string, unknown>>;
  /** Options for a local browser. Ignored for `REMOTE`, except `cdpHeaders`. */
  localBrowserLaunchOptions?: LocalBrowserLaunchOptions;
  /** The model for all calls. Default: the default model of the first provider with an API key in the environment. */
  model?: ModelConfiguration;
  /** A custom model client or an AI SDK model object. Used if `model` is not given. */
  llmClient?: LLMClient | LanguageModelObject;
  /** Added to the system prompt of every model call. */
  systemPrompt?: string;
  /** Finds the element again and repeats the step when a step fails because the page has changed. Default: true. */
  selfHeal?: boolean;
  /** Enables features that may change without notice. Default: false. */
  experimental?: boolean;
  /** Maximum milliseconds until a page counts as settled. Default: 30000. */
  domSettleTimeout?: number;
  /** Options for the page text that models and `page.snapshot()` receive. */
  snapshot?: {
    /**
     * Approximate number of tokens above which repeated content of a page is folded. Default: 6500. `Infinity` never
     * folds.
     */
    readonly tokenBudget?: number;
  };
  /** Default timeout of page and locator calls in milliseconds. Default: 30000. */
  defaultTimeout?: number;
  /**
   * Hosts that pages may send requests to, such as `example.com`, `*.example.com` and `localhost:3000`. Applies until
   * the driver is closed. Default: all.
   */
  allowedDomains?: readonly string[];
  /** Hosts that pages must not send requests to. Takes precedence over `allowedDomains`. Default: none. */
  blockedDomains?: readonly string[];
  /** Cache folder for results of `act`, `observe` and agents, so that later calls need no model. Default: no cache. */
  cacheDir?: string;
  /**
   * Query parameters of a page's URL that distinguish cache entries: all, none, or those with these names. Default:
   * `all`.
   */
  cacheQuery?: 'all' | 'none' | readonly string[];
  /**
   * Download folder. Files have random names until `download.saveAs()`. Default: a temporary folder, removed on
   * `close()`.
   */
  downloadsPath?: string;
  /** Accepts downloads. Default: true for browsers that the driver starts, unchanged for others. */
  acceptDownloads?: boolean;
  /** Keeps the browser running after `close()` and after this process ends. Default: false. */
  keepAlive?: boolean;
  /** Uses the cache of the remote platform. Default: true. Ignored for `LOCAL`. */
  serverCache?: boolean;
  /** Log level. `0`: problems and important events, `1`: one line per step, `2`: details. Default: 1. */
  verbose?: LogLevel;
  /** Appends each model request and its response to a file under `inference/`. Default: false. */
  logInferenceToFile?: boolean;
  /** Turns off the default log on standard error. Default: false. */
  disableLoggerBackend?: boolean;
  /** Receives every log line instead of the default backend. */
  logger?: Logger;
  /** Aborts every call and closes the driver. */
  signal?: AbortSignal;
}
