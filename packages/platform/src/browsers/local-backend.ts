import { constants } from 'node:fs';
import { lstat, open, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import {
  type BrowserUser,
  findBrowser,
  type LaunchedBrowser,
  launchBrowser,
  NoSandboxError,
  Progress,
  RENTED_PREFERENCES,
} from 'pagechauffeur/internal';
import type { AddressRules } from '../egress/address-rules.ts';
import { checkUpstream, openEgressProxy } from '../egress/egress-proxy.ts';
import { PlatformError, reasonOf } from '../errors.ts';
import type { PlatformLog } from '../platform-log.ts';
import type { BrowserBackend, BrowserRequest, DownloadedFile, RentedBrowser } from './browser-backend.ts';
import { browserUser, HOW_TO_GO_WITHOUT } from './browser-user.ts';
import { devToolsFolder, fetchDevToolsFile } from './devtools-file.ts';
import { endStarted, type StartedBrowser, WarmBrowsers } from './warm-browsers.ts';

/** Chromium accepts messages of this size on its DevTools WebSocket. */
const MAX_MESSAGE_BYTES = 100 * 1024 * 1024;
const START_TIMEOUT_MS = 30_000;

/** How to start browsers on this machine. */
export interface LocalBackendSettings {
  readonly capacity: number;
  readonly executablePath: string | undefined;
  /** Allows browsers without a sandbox as the current user. */
  readonly allowNoSandbox: boolean;
  readonly rules: AddressRules;
  /** Number of warm browsers for sessions without special requirements. */
  readonly warm: number;
  readonly log: PlatformLog;
}

/** Settings for starting a browser. */
type BrowserSettings = Omit<BrowserRequest, 'sessionId'>;

const PLAIN: BrowserSettings = {
  viewport: undefined,
  userAgent: undefined,
  ignoreHTTPSErrors: false,
  proxy: undefined,
};

/** Browsers on the server's own machine. Each has its own profile and egress proxy. */
export class LocalBackend implements BrowserBackend {
  readonly capacity: number;
  readonly #settings: LocalBackendSettings;
  readonly #running = new Set<RentedBrowser>();
  readonly #warm: WarmBrowsers;
  readonly #user: BrowserUser | undefined;
  #starting = 0;
  /** True if the sandbox fails on this machine for all users, as in some containers. */
  #hasNoSandbox = false;

  constructor(settings: LocalBackendSettings) {
    const { capacity, warm: size, log } = settings;
    this.capacity = capacity;
    this.#settings = settings;
    const executablePath = settings.executablePath ?? findBrowser();
    // Without a browser, the first session reports the problem.
    const isOwn = !settings.allowNoSandbox && executablePath !== undefined;
    this.#user = isOwn ? browserUser(executablePath) : undefined;
    const hasCapacity = (): boolean => this.#running.size + this.#starting < capacity;
    this.#warm = new WarmBrowsers({ size, hasCapacity, start: (signal) => this.#start(PLAIN, signal), log });
  }

  /**
   * Starts a browser once to check the sandbox, if only the sandbox keeps pages from the store.
   * @throws PlatformError if there is none.
   */
  async open(): Promise<void> {
    if (this.#user || this.#settings.allowNoSandbox) return;
    try {
      await endStarted(await this.#start(PLAIN, NEVER));
    } catch (error) {
      if (error instanceof NoSandboxError) {
        await this.close();
        throw noSandbox(error);
      }
      this.#settings.log.warn({ reason: reasonOf(error) }, 'cannot start a browser; sessions will fail');
    }
  }

  get ready(): number {
    return this.#warm.ready;
  }

  async start(request: BrowserRequest, signal: AbortSignal): Promise<RentedBrowser> {
    this.#starting += 1;
    try {
      const ready = isPlain(request) ? await this.#warm.take() : undefined;
      const browser = this.#rented(request.sessionId, ready ?? (await this.#start(request, signal)));
      this.#running.add(browser);
      return browser;
    } finally {
      this.#starting -= 1;
    }
  }

  async check({ proxy }: BrowserRequest): Promise<void> {
    await checkUpstream(this.#settings.rules, proxy);
  }

  /** `Slots` limits the number of browsers. */
  async admit(): Promise<void> {}

  async running(): Promise<readonly RentedBrowser[]> {
    return [...this.#running];
  }

  async close(): Promise<void> {
    await Promise.all([this.#warm.close(), ...[...this.#running].map((browser) => browser.end())]);
  }

  async #start(request: BrowserSettings, signal: AbortSignal): Promise<StartedBrowser> {
    const egress = await openEgressProxy(this.#settings.rules, { upstream: request.proxy, log: this.#settings.log });
    try {
      return { launched: await this.#launchSafely(request, egress.port, signal), egress };
    } catch (error) {
      await egress.close();
      throw error;
    }
  }

  /** Starts a browser without a sandbox if none works and the browser has a separate user or the operator allows it. */
  async #launchSafely(request: BrowserSettings, egressPort: number, signal: AbortSignal): Promise<LaunchedBrowser> {
    const wasUnsafe = this.#hasNoSandbox;
    try {
      return await this.#launch(request, egressPort, signal);
    } catch (error) {
      const mayGoWithout = this.#user !== undefined || this.#settings.allowNoSandbox;
      if (!(error instanceof NoSandboxError) || wasUnsafe || !mayGoWithout) throw error;
      const user = this.#user?.uid ?? 'of the server';
      // A concurrent start may already have detected it.
      if (!this.#hasNoSandbox)
        this.#settings.log.warn({ user }, 'browsers run without a sandbox: this machine has none');
      this.#hasNoSandbox = true;
      return this.#launch(request, egressPort, signal);
    }
  }

  async #launch(request: BrowserSettings, egressPort: number, signal: AbortSignal): Promise<LaunchedBrowser> {
    using progress = new Progress({ operation: 'start', timeout: START_TIMEOUT_MS, signals: [signal] });
    return await launchBrowser(progress, {
      executablePath: this.#settings.executablePath ?? findBrowser() ?? noBrowser(),
      headless: true,
      port: undefined,
      args: [
        // Media that bypasses the proxy would bypass its rules.
        '--webrtc-ip-handling-policy=disable_non_proxied_udp',
        ...(this.#hasNoSandbox ? ['--no-sandbox'] : []),
        ...(request.userAgent === undefined ? [] : [`--user-agent=${request.userAgent}`]),
      ],
      // Only programs connect, without an Origin header. Pages must not.
      ignoreDefaultArgs: ['--remote-allow-origins=*'],
      userDataDir: undefined,
      viewport: request.viewport,
      devtools: false,
      // Without this bypass rule, a browser reaches its own machine directly.
      proxy: { server: `http://127.0.0.1:${egressPort}`, bypass: '<-loopback>' },
      ignoreHTTPSErrors: request.ignoreHTTPSErrors,
      domainPolicy: undefined,
      keepAlive: false,
      preferences: RENTED_PREFERENCES,
      user: this.#user,
    });
  }

  #rented(sessionId: string, started: StartedBrowser): RentedBrowser {
    const { launched } = started;
    let ended: Promise<void> | undefined;
    const end = async (): Promise<void> => {
      await endStarted(started);
      this.#running.delete(browser);
    };
    const browser: RentedBrowser = {
      sessionId,
      url: launched.url,
      downloads: launched.downloads,
      bytesInDownloads: () => bytesIn(launched.downloads),
      maxMessageBytes: MAX_MESSAGE_BYTES,
      openDownload: (name) => openFile(join(launched.downloads, name)),
      openDevTools: (name) => fetchDevToolsFile(devToolsFolder(launched.url), name),
      end: () => (ended ??= end()),
    };
    return browser;
  }
}

const NEVER: AbortSignal = new AbortController().signal;

function noSandbox(cause: unknown): PlatformError {
  return new PlatformError(
    'invalid_request',
    'Chromium has no sandbox on this machine. Install one (on Debian the package chromium-sandbox), allow user namespaces, ' +
      `or start the server as root, so that browsers run as a separate user. ${HOW_TO_GO_WITHOUT}`,
    { cause },
  );
}

/** True if a warm browser satisfies the request. */
function isPlain({ viewport, userAgent, ignoreHTTPSErrors, proxy }: BrowserRequest): boolean {
  return !viewport && userAgent === undefined && !ignoreHTTPSErrors && !proxy;
}

/** Returns the bytes in a folder. Browsers create no subfolders in it. */
async function bytesIn(folder: string): Promise<number> {
  const names = (await ifExists(readdir(folder))) ?? [];
  const sizes = await Promise.all(names.map(async (name) => (await ifExists(lstat(join(folder, name))))?.size ?? 0));
  return sizes.reduce((sum, size) => sum + size, 0);
}

/** Resolves with `undefined` if there is no such file: it may have been removed a moment ago. */
async function ifExists<T>(found: Promise<T>): Promise<T | undefined> {
  try {
    return await found;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}

async function openFile(path: string): Promise<DownloadedFile | undefined> {
  try {
    // Opening a pipe would wait for a writer.
    const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    const stats = await file.stat();
    // A file with a second hard link may be a file of the machine that the browser cannot read itself.
    if (stats.isFile() && stats.nlink === 1) return { size: stats.size, content: file.createReadStream() };
    await file.close();
    return undefined;
  } catch (error) {
    // ELOOP: a symbolic link.
    if (error instanceof Error && 'code' in error && ['ENOENT', 'ELOOP'].includes(String(error.code))) return undefined;
    throw error;
  }
}

function noBrowser(): never {
  throw new PlatformError('internal', 'Found no Chromium or Chrome. Install one, or pass its path as --browser.');
}
