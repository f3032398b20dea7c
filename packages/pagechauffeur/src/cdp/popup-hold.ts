import { setImmediate } from 'node:timers/promises';
import { withTimeout } from '../util/with-timeout.ts';

/**
 * Milliseconds that a popup waits for the setup of its first listeners. The browser answers within a few milliseconds.
 */
const LONGEST_SETUP_MS = 5000;

/**
 * Setup commands that do not depend on a document. A popup accepts them before it runs; other commands wait until then.
 */
export const SETUP_COMMANDS: ReadonlySet<string> = new Set([
  'Emulation.setDeviceMetricsOverride',
  'Fetch.disable',
  'Fetch.enable',
  'Network.enable',
  'Network.setExtraHTTPHeaders',
  'Page.addScriptToEvaluateOnNewDocument',
  'Page.handleJavaScriptDialog',
  'Page.removeScriptToEvaluateOnNewDocument',
  'Runtime.runIfWaitingForDebugger',
]);

/** Holds a new popup until listeners have set it up, so that the setup applies to its first document. */
export class PopupHold {
  readonly #setups = new Set<Promise<unknown>>();
  readonly #answers: boolean;

  /**
   * `answers`: whether the popup's process answers before the popup runs. Without an opener it does not, but it keeps
   * the
   * order of commands.
   */
  constructor({ answers }: { readonly answers: boolean }) {
    this.#answers = answers;
  }

  /** The popup does not run before this settles. */
  add(setup: Promise<unknown>): void {
    const isDone = (): void => void this.#setups.delete(setup);
    this.#setups.add(setup);
    setup.then(isDone, isDone);
  }

  /** Settles once all listeners were called and their setup is done. */
  async end(): Promise<void> {
    const deadline = performance.now() + LONGEST_SETUP_MS;
    for (;;) {
      // Code that awaits the event, or a finished setup, runs before this.
      await setImmediate();
      const left = deadline - performance.now();
      if (this.#setups.size === 0 || !this.#answers || left <= 0) return;
      await withTimeout(left, Promise.allSettled([...this.#setups]));
    }
  }
}
