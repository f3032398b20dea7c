import { setImmediate } from 'node:timers/promises';
import { withTimeout } from '../util/with-timeout.ts';

/** Maximum time in ms that a popup waits for the setup by its first listeners. Usually a few ms are enough. */
const SETUP_TIMEOUT_MS = 5000;

/** Commands that a popup accepts before its first script runs, because they need no document. Others are held. */
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

/** Delays the first script of a popup until its listeners have set it up. */
export class PopupHold {
  readonly #setups = new Set<Promise<unknown>>();
  readonly #answers: boolean;

  /**
   * `answers`: true if the popup's process responds before the first script runs. A popup that cannot access its opener
   * runs the commands in order, but responds later.
   */
  constructor({ answers }: { readonly answers: boolean }) {
    this.#answers = answers;
  }

  /** The popup's first script waits for `setup`. */
  add(setup: Promise<unknown>): void {
    const isDone = (): void => void this.#setups.delete(setup);
    this.#setups.add(setup);
    setup.then(isDone, isDone);
  }

  /** Resolves once all listeners were called and, if the popup responds, their setup is done. Waits at most 5 s. */
  async end(): Promise<void> {
    const deadline = performance.now() + SETUP_TIMEOUT_MS;
    for (;;) {
      // Lets code run that awaits the page event or a finished setup, and may add more.
      await setImmediate();
      const left = deadline - performance.now();
      if (this.#setups.size === 0 || !this.#answers || left <= 0) return;
      await withTimeout(left, Promise.allSettled([...this.#setups]));
    }
  }
}
