import { setImmediate } from 'node:timers/promises';
import { withTimeout } from '../util/with-timeout.ts';

/** How long a popup waits, in milliseconds, for what its first listeners set up; the browser answers within a few. */
const LONGEST_SETUP_MS = 5000;

/** Commands that set a page up and look at no document: a popup takes them before it runs. The others wait until it does. */
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

/** Keeps a new popup from running until those who were told of it have set it up, so that this holds for its first document. */
export class PopupHold {
  readonly #setups = new Set<Promise<unknown>>();
  readonly #answers: boolean;

  /**
   * `answers`: whether the popup's process answers before the popup runs. That of a popup without an opener does not, but it
   * keeps the order: what was sent to it first holds first.
   */
  constructor({ answers }: { readonly answers: boolean }) {
    this.#answers = answers;
  }

  /** The popup does not run before this is done. */
  add(setup: Promise<unknown>): void {
    const isDone = (): void => void this.#setups.delete(setup);
    this.#setups.add(setup);
    setup.then(isDone, isDone);
  }

  /** Settled once all listeners were called and nothing that they set up is under way. */
  async end(): Promise<void> {
    const deadline = performance.now() + LONGEST_SETUP_MS;
    for (;;) {
      // Whoever waits for the event, or for a setup that is done, goes on before this.
      await setImmediate();
      const left = deadline - performance.now();
      if (this.#setups.size === 0 || !this.#answers || left <= 0) return;
      await withTimeout(left, Promise.allSettled([...this.#setups]));
    }
  }
}
