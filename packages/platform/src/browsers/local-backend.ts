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
import { browserUser, NO_SANDBOX_ADVICE } from './browser-user.ts';
import { devToolsFolder, fetchDevToolsFile } from './devtools-file.ts';
import { endStarted, type StartedBrowser, WarmBrowsers } from './warm-browsers.ts';

/** Chromium's limit for messages on its DevTools WebSocket. */
const MAX_MESSAGE_BYTES = 100 * 1024 * 1024;
const START_TIMEOUT_MS = 30_000;

export interface LocalBackendSettings {
  readonly capacity: number;
  readonly executablePath: string | undefined;
  /** Lets browsers run without a sandbox as the server's user. */
  readonly allowNoSandbox: boolean;
  readonly rules: AddressRules;
  /** Number of browsers to start ahead of time. */
  readonly warm: number;
  readonly log: PlatformLog;
}

type BrowserSettings = Omit<BrowserRequest, 'sessionId'>;

const PLAIN: BrowserSettings = {
  viewport: undefined,
  userAgent: undefined,
  ignoreHTTPSErrors: false,
  proxy: undefined,
};

/** Runs browsers on the server's machine, each with a separate profile and egress proxy. */
export class LocalBackend implements BrowserBackend {
  readonly capacity: number;
  readonly #settings: LocalBackendSettings;
  readonly #running = new Set<RentedBrowser>();
  readonly #warm: WarmBrowsers;
  readonly #user: BrowserUser | undefined;
  #starting = 0;
  /** True once browsers start without a sandbox, because Chromium failed to start with one. */
  #hasNoSandbox = false;

  constructor(settings: LocalBackendSettings) {
    const { capacity, warm: size, log } = settings;
    this.capacity = capacity;
    this.#settings = settings;
    const executablePath = settings.executablePath ?? findBrowser();
    // The server starts without a browser too: sessions then report the problem.
    const isOwn = !settings.allowNoSandbox && executablePath !== undefined;
    this.#user = isOwn ? browserUser(executablePath) : undefined;
    const hasCapacity = (): boolean => this.#running.size + this.#starting < capacity;
    this.#warm = new WarmBrowsers({ size, hasCapacity, start: (signal) => this.#start(PLAIN, signal), log });
  }

  /**
   * Checks that Chromium's sandbox works. Skipped if browsers run as a separate user or may run without a sandbox.
   *
   * @throws PlatformError if it does not work.
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

  /** `Slots` already limits the number of browsers. */
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

  /**
   * Starts a browser. If the sandbox does not work, retries without it if browsers run as a separate user or
   * `allowNoSandbox` is set.
   */
  async #launchSafely(request: BrowserSettings, egressPort: number, signal: AbortSignal): Promise<LaunchedBrowser> {
    const wasUnsafe = this.#hasNoSandbox;
    try {
      return await this.#launch(request, egressPort, signal);
    } catch (error) {
      const maySkipSandbox = this.#user !== undefined || this.#settings.allowNoSandbox;
      if (!(error instanceof NoSandboxError) || wasUnsafe || !maySkipSandbox) throw error;
      const user = this.#user?.uid ?? 'of the server';
      // A concurrent start may have logged this already.
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
        // Otherwise WebRTC would bypass the proxy and its address rules.
        '--webrtc-ip-handling-policy=disable_non_proxied_udp',
        ...(this.#hasNoSandbox ? ['--no-sandbox'] : []),
        ...(request.userAgent === undefined ? [] : [`--user-agent=${request.userAgent}`]),
      ],
      // Clients connect without an Origin header. Pages send one, and must not connect.
      ignoreDefaultArgs: ['--remote-allow-origins=*'],
      userDataDir: undefined,
      viewport: request.viewport,
      devtools: false,
      // Without this rule, Chromium connects to loopback addresses directly instead of through the proxy.
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
      `or start the server as root, so that browsers run as a separate user. ${NO_SANDBOX_ADVICE}`,
    { cause },
  );
}

/** Warm browsers have default settings, so they fit only requests that change none. */
function isPlain({ viewport, userAgent, ignoreHTTPSErrors, proxy }: BrowserRequest): boolean {
  return !viewport && userAgent === undefined && !ignoreHTTPSErrors && !proxy;
}

/** Returns the total size of the files in a folder. Chromium creates no subfolders there. */
async function bytesIn(folder: string): Promise<number> {
  const names = (await ifExists(readdir(folder))) ?? [];
  const sizes = await Promise.all(names.map(async (name) => (await ifExists(lstat(join(folder, name))))?.size ?? 0));
  return sizes.reduce((sum, size) => sum + size, 0);
}

/** A file may disappear between `readdir` and `lstat`. */
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
    // Without O_NONBLOCK, opening a named pipe would wait for a writer.
    const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    const stats = await file.stat();
    // Refuses hard links: they may point to files that the browser itself cannot read.
    if (stats.isFile() && stats.nlink === 1) return { size: stats.size, content: file.createReadStream() };
    await file.close();
    return undefined;
  } catch (error) {
    // `ELOOP`: the path is a symbolic link.
    if (error instanceof Error && 'code' in error && ['ENOENT', 'ELOOP'].includes(String(error.code))) return undefined;
    throw error;
  }
}

function noBrowser(): never {
  throw new PlatformError('internal', 'Found no Chromium or Chrome. Install one, or pass its path as --browser.');
}
