import type { LaunchedBrowser } from 'pagechauffeur/internal';
import type { EgressProxy } from '../egress/egress-proxy.ts';
import { reasonOf } from '../errors.ts';
import type { PlatformLog } from '../platform-log.ts';

/** A browser that runs on this machine, with its way to the network. */
export interface StartedBrowser {
  readonly launched: LaunchedBrowser;
  readonly egress: EgressProxy;
}

interface WarmParts {
  /** How many are to be ready. */
  readonly size: number;
  /** Whether there is a place for one more than are rented out. */
  readonly hasCapacity: () => boolean;
  readonly start: (signal: AbortSignal) => Promise<StartedBrowser>;
  readonly log: PlatformLog;
}

/** The session that has just taken a browser has the machine for itself so long; about what a browser takes to start. */
const REFILL_PAUSE_MS = 500;
/** A browser that has nothing to do answers within milliseconds. */
const ANSWER_MS = 2000;

/** Browsers that are started before anybody asks for one. They are as browsers are when nothing is asked of them. */
export class WarmBrowsers {
  readonly #parts: WarmParts;
  /** Some may be on their way still. */
  readonly #waiting: Promise<StartedBrowser | undefined>[] = [];
  readonly #closing = new AbortController();
  #refill: NodeJS.Timeout | undefined;
  #ready = 0;

  constructor(parts: WarmParts) {
    this.#parts = parts;
    this.#fill();
  }

  /** How many can be taken without waiting. */
  get ready(): number {
    return this.#ready;
  }

  /** One that is the caller's from then on; undefined when there is none. */
  async take(): Promise<StartedBrowser | undefined> {
    try {
      for (let next = this.#waiting.shift(); next; next = this.#waiting.shift()) {
        const browser = await next;
        if (browser) this.#ready -= 1;
        if (browser && (await answers(browser))) return browser;
        // It died while it waited.
        if (browser) await endStarted(browser);
      }
      return undefined;
    } finally {
      this.#refill ??= setTimeout(() => this.#fill(), REFILL_PAUSE_MS);
    }
  }

  /** Ends those that nobody took. */
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
      // The session that would have had it starts its own, and says what is wrong.
      if (!this.#closing.signal.aborted)
        log.warn({ reason: reasonOf(error) }, 'no browser could be started beforehand');
      return undefined;
    }
  }
}

/** Ends a browser of this machine and removes all it left. */
export async function endStarted({ launched, egress }: StartedBrowser): Promise<void> {
  await Promise.all([launched.end({ force: true }), egress.close()]);
}

/** A browser that was killed is a process for a while still, which even takes connections; it answers nothing. */
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
