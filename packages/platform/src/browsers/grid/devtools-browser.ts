import { findBrowser, type LaunchedBrowser, launchBrowser, Progress } from 'pagechauffeur/internal';
import { PlatformError, reasonOf } from '../../errors.ts';
import type { PlatformLog } from '../../platform-log.ts';
import { type DevToolsFile, devToolsFolder, fetchDevToolsFile } from '../devtools-file.ts';

interface DevToolsBrowserSettings {
  /** Path of Chromium or Chrome; undefined for the one found on this machine. */
  readonly executablePath: string | undefined;
  readonly log: PlatformLog;
}

/** A browser that was started for the files in it. */
interface Started {
  readonly launched: LaunchedBrowser;
  /** Undefined of one that brings no DevTools along. */
  readonly version: string | undefined;
}

const START_MS = 30_000;
/** DevTools fetch a part of theirs when it is first looked at; what is fetched after that starts the browser again. */
const KEEP_MS = 5 * 60_000;
/** What every DevTools begin with; a browser without a window of its own, such as a headless shell, has none. */
const FIRST_FILE = 'devtools_app.html';

/**
 * A browser of this machine that shows no page: its DevTools are for browsers elsewhere, which give nobody theirs. Asked for
 * them over the protocol, those would give them only to a page with the powers of DevTools, which reads any file of their
 * machine, and which their tenant reaches as well. It runs from the first file that is asked for until none was for a while.
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

  /** A file of DevTools for a browser of this version; undefined when there is none. Refuses where they do not fit it. */
  async open(version: string, name: string): Promise<DevToolsFile | undefined> {
    const starting = (this.#started ??= this.#start());
    const started = await starting;
    const own = started?.version;
    if (!started || own === undefined || majorOf(own) !== majorOf(version)) throw misfit(version, own);
    this.#rest.refresh();
    try {
      return await fetchDevToolsFile(devToolsFolder(started.launched.url), name);
    } catch (error) {
      if (this.#started === starting) this.#end();
      const message = 'DevTools cannot be had for a moment. Open them again.';
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
      this.#settings.log.warn({ reason: reasonOf(error) }, 'no browser could be started for its DevTools');
      return undefined;
    }
  }

  /** The next file that is asked for starts it again, be it another version by then. */
  #end(): void {
    this.#ending = Promise.all([this.#ending, this.#endOf(this.#started)]).then(() => undefined);
    this.#started = undefined;
  }

  async #endOf(starting: Promise<Started | undefined> | undefined): Promise<void> {
    try {
      await (await starting)?.launched.end({ force: true });
    } catch (error) {
      this.#settings.log.warn({ reason: reasonOf(error) }, 'a browser that was there for its DevTools left something');
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
    // Only this server comes, which sends no Origin: no page is to be let in.
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

/** Of `Chrome/156.0.8078.79`: DevTools fit every browser with the same first number. */
function majorOf(version: string): string {
  return /\/(\d+)/.exec(version)?.[1] ?? version;
}

function misfit(version: string, own: string | undefined): PlatformError {
  const has = own === undefined ? 'has no such browser' : `has version ${majorOf(own)}`;
  return new PlatformError(
    'not_found',
    `There are no DevTools for this browser. They come from a Chromium of the same version on the server’s own machine: ` +
      `this browser has version ${majorOf(version)}, and that machine ${has}.`,
  );
}
