import type { LaunchedBrowser } from 'pagechauffeur/internal';
import type { EgressProxy } from '../egress/egress-proxy.ts';
import { reasonOf } from '../errors.ts';
import type { PlatformLog } from '../platform-log.ts';

/** A local browser with its egress proxy. */
export interface StartedBrowser {
  readonly launched: LaunchedBrowser;
  readonly egress: EgressProxy;
}

interface WarmParts {
  /** Number of warm browsers. */
  readonly size: number;
  /** Returns true if one more browser may be started. */
  readonly hasCapacity: () => boolean;
  readonly start: (signal: AbortSignal) => Promise<StartedBrowser>;
  readonly log: PlatformLog;
}

/** Pause before a refill, so that a new session has the machine to itself. About the time a browser needs to start. */
const REFILL_PAUSE_MS = 500;
/** An idle browser answers within milliseconds. */
const ANSWER_MS = 2000;

/** Browsers that are started ahead of time with default settings. */
export class WarmBrowsers {
  readonly #parts: WarmParts;
  /** Some may still be starting. */
  readonly #waiting: Promise<StartedBrowser | undefined>[] = [];
  readonly #closing = new AbortController();
  #refill: NodeJS.Timeout | undefined;
  #ready = 0;

  constructor(parts: WarmParts) {
    this.#parts = parts;
    this.#fill();
  }

  /** Number of browsers that can be taken at once. */
  get ready(): number {
    return this.#ready;
  }

  /** Takes a browser. Resolves with `undefined` if there is none. */
  async take(): Promise<StartedBrowser | undefined> {
    try {
      for (let next = this.#waiting.shift(); next; next = this.#waiting.shift()) {
        const browser = await next;
        if (browser) this.#ready -= 1;
        if (browser && (await answers(browser))) return browser;
        // It died while it was waiting.
        if (browser) await endStarted(browser);
      }
      return undefined;
    } finally {
      this.#refill ??= setTimeout(() => this.#fill(), REFILL_PAUSE_MS);
    }
  }

  /** Ends all browsers that were not taken. */
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
      // A session then starts its own browser and reports the problem.
      if (!this.#closing.signal.aborted) log.warn({ reason: reasonOf(error) }, 'cannot start a warm browser');
      return undefined;
    }
  }
}

/** Ends a local browser and removes everything it left. */
export async function endStarted({ launched, egress }: StartedBrowser): Promise<void> {
  await Promise.all([launched.end({ force: true }), egress.close()]);
}

/** A killed browser process may still accept connections for a while, but does not answer. */
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
