import type { LaunchedBrowser } from 'pagechauffeur/internal';
import type { EgressProxy } from '../egress/egress-proxy.ts';
import { reasonOf } from '../errors.ts';
import type { PlatformLog } from '../platform-log.ts';

export interface StartedBrowser {
  readonly launched: LaunchedBrowser;
  readonly egress: EgressProxy;
}

interface WarmParts {
  readonly size: number;
  readonly hasCapacity: () => boolean;
  readonly start: (signal: AbortSignal) => Promise<StartedBrowser>;
  readonly log: PlatformLog;
}

/** Delay before a refill, about as long as a browser start, so that the refill does not slow down the new session. */
const REFILL_PAUSE_MS = 500;
/** Timeout of the liveness check. An idle browser responds within milliseconds. */
const ANSWER_MS = 2000;

/** Keeps browsers with default settings ready, so that sessions start faster. */
export class WarmBrowsers {
  readonly #parts: WarmParts;
  /** Includes browsers that are still starting. */
  readonly #waiting: Promise<StartedBrowser | undefined>[] = [];
  readonly #closing = new AbortController();
  #refill: NodeJS.Timeout | undefined;
  #ready = 0;

  constructor(parts: WarmParts) {
    this.#parts = parts;
    this.#fill();
  }

  /** Number of browsers that have started and are idle. */
  get ready(): number {
    return this.#ready;
  }

  /** Takes a browser, and waits if it is still starting. Resolves with `undefined` if there is none. */
  async take(): Promise<StartedBrowser | undefined> {
    try {
      for (let next = this.#waiting.shift(); next; next = this.#waiting.shift()) {
        const browser = await next;
        if (browser) this.#ready -= 1;
        if (browser && (await answers(browser))) return browser;
        // The browser has crashed or hangs.
        if (browser) await endStarted(browser);
      }
      return undefined;
    } finally {
      this.#refill ??= setTimeout(() => this.#fill(), REFILL_PAUSE_MS);
    }
  }

  /** Ends the browsers that no session took. */
  async close(): Promise<void> {
    this.#closing.abort();
    clearTimeout(this.#refill);
    const browsers = await Promise.all(this.#waiting.splice(0));
    await Promise.all(browsers.filter((browser) => browser !== undefined).map(endStarted));
  }

  #fill(): void {
    this.#refill = undefined;
    const { size, hasCapacity } = this.#parts;
    while (this.#waiting.length < size && !this.#closing.signal.aborted && hasCapacity())
      this.#waiting.push(this.#start());
  }

  async #start(): Promise<StartedBrowser | undefined> {
    const { start, log } = this.#parts;
    try {
      const browser = await start(this.#closing.signal);
      this.#ready += 1;
      return browser;
    } catch (error) {
      // The next session starts its own browser and reports the error.
      if (!this.#closing.signal.aborted) log.warn({ reason: reasonOf(error) }, 'cannot start a warm browser');
      return undefined;
    }
  }
}

export async function endStarted({ launched, egress }: StartedBrowser): Promise<void> {
  await Promise.all([launched.end({ force: true }), egress.close()]);
}

/** A killed browser may still accept connections for a moment, but does not respond. */
async function answers({ launched }: StartedBrowser): Promise<boolean> {
  try {
    const { ok } = await fetch(`http://${new URL(launched.url).host}/json/version`, {
      signal: AbortSignal.timeout(ANSWER_MS),
    });
    return ok;
  } catch {
    return false;
  }
}
