import { findBrowser, type LaunchedBrowser, launchBrowser, Progress } from 'pagechauffeur/internal';
import { PlatformError, reasonOf } from '../../errors.ts';
import type { PlatformLog } from '../../platform-log.ts';
import { type DevToolsFile, devToolsFolder, fetchDevToolsFile } from '../devtools-file.ts';

interface DevToolsBrowserSettings {
  /** Path of Chromium or Chrome. Default: the one found on this machine. */
  readonly executablePath: string | undefined;
  readonly log: PlatformLog;
}

interface Started {
  readonly launched: LaunchedBrowser;
  /** Undefined for a headless shell, which has no DevTools frontend. */
  readonly version: string | undefined;
}

const START_MS = 30_000;
/** Idle time after which the browser stops. A later request starts it again. */
const KEEP_MS = 5 * 60_000;
/** DevTools requests this file first. A headless shell does not have it. */
const FIRST_FILE = 'devtools_app.html';

/**
 * Serves the DevTools frontend for remote browsers from a local browser without pages. A remote browser serves its own
 * frontend over CDP only to pages with DevTools privileges. Such pages can read every file on their machine, and
 * tenants could reach them. The local browser starts on the first request and stops after 5 minutes without requests.
 */
export class DevToolsBrowser {
  readonly #settings: DevToolsBrowserSettings;
  readonly #rest: NodeJS.Timeout;
  #started: Promise<Started | undefined> | undefined;
  #ending: Promise<void> = Promise.resolve();

  constructor(settings: DevToolsBrowserSettings) {
    this.#settings = settings;
    this.#rest = setInterval(() => this.#end(), KEEP_MS);
    this.#rest.unref();
  }

  /**
   * Opens a frontend file for a browser with this version. Resolves with `undefined` if the file does not exist.
   * Rejects if there is no local browser with the same major version.
   */
  async open(version: string, name: string): Promise<DevToolsFile | undefined> {
    const starting = (this.#started ??= this.#start());
    const started = await starting;
    const own = started?.version;
    if (!started || own === undefined || majorOf(own) !== majorOf(version)) throw versionMismatch(version, own);
    this.#rest.refresh();
    try {
      return await fetchDevToolsFile(devToolsFolder(started.launched.url), name);
    } catch (error) {
      if (this.#started === starting) this.#end();
      const message = 'DevTools are temporarily unavailable. Open them again.';
      throw new PlatformError('unavailable', message, { retryAfter: 1, cause: error });
    }
  }

  async close(): Promise<void> {
    clearInterval(this.#rest);
    this.#end();
    await this.#ending;
  }

  async #start(): Promise<Started | undefined> {
    try {
      const executablePath = this.#settings.executablePath ?? findBrowser();
      if (executablePath === undefined) return undefined;
      return await withVersion(await launch(executablePath));
    } catch (error) {
      this.#settings.log.warn({ reason: reasonOf(error) }, 'cannot start a browser for DevTools');
      return undefined;
    }
  }

  /** The next request starts a new browser, which may have been updated in the meantime. */
  #end(): void {
    this.#ending = Promise.all([this.#ending, this.#endOf(this.#started)]).then(() => undefined);
    this.#started = undefined;
  }

  async #endOf(starting: Promise<Started | undefined> | undefined): Promise<void> {
    try {
      await (await starting)?.launched.end({ force: true });
    } catch (error) {
      this.#settings.log.warn({ reason: reasonOf(error) }, 'cannot clean up the browser for DevTools');
    }
  }
}

async function launch(executablePath: string): Promise<LaunchedBrowser> {
  using progress = new Progress({ operation: 'start', timeout: START_MS, signals: [] });
  return await launchBrowser(progress, {
    executablePath,
    headless: true,
    port: undefined,
    args: [],
    // This server connects without an Origin header. Pages send one, and must not connect.
    ignoreDefaultArgs: ['--remote-allow-origins=*'],
    userDataDir: undefined,
    viewport: undefined,
    devtools: false,
    proxy: undefined,
    ignoreHTTPSErrors: false,
    domainPolicy: undefined,
    keepAlive: false,
  });
}

async function withVersion(launched: LaunchedBrowser): Promise<Started> {
  try {
    return { launched, version: await versionOf(launched) };
  } catch (error) {
    await launched.end({ force: true });
    throw error;
  }
}

async function versionOf({ url }: LaunchedBrowser): Promise<string | undefined> {
  const file = await fetchDevToolsFile(devToolsFolder(url), FIRST_FILE);
  file?.content.destroy();
  if (!file) return undefined;
  const answer = await fetch(new URL('/json/version', devToolsFolder(url)));
  return String(((await answer.json()) as { readonly Browser?: unknown }).Browser);
}

/** `Chrome/156.0.8078.79` → `156`. DevTools works with every browser of the same major version. */
function majorOf(version: string): string {
  return /\/(\d+)/.exec(version)?.[1] ?? version;
}

function versionMismatch(version: string, own: string | undefined): PlatformError {
  const has = own === undefined ? 'has no Chromium with DevTools' : `has Chromium ${majorOf(own)}`;
  return new PlatformError(
    'not_found',
    `DevTools are not available: this browser has version ${majorOf(version)}, and the platform server ${has}. ` +
      `Install Chromium ${majorOf(version)} on the server, and pass its path as --browser.`,
  );
}
