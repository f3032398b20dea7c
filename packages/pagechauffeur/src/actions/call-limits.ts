import type { DocumentOrigin } from '../injected/contract.ts';
import type { Log } from '../util/log.ts';
import { Progress, type CallOptions } from '../util/progress.ts';
import type { ValueMask } from '../util/value-mask.ts';

/** An entry of `driver.history` for a navigation: what the caller passed and what the method returned. */
export interface NavigationRecord {
  readonly parameters: unknown;
  readonly result: unknown;
}

/** Driver settings that every page, frame and locator uses. */
export interface PageSettings {
  /** Default timeout of page and locator calls in ms. */
  readonly defaultTimeout: number;
  /** Maximum number of tokens in a snapshot. On longer pages, repeated content is folded. */
  readonly tokenBudget: number;
  /** Time in ms after which an action stops waiting for the page to settle. */
  readonly domSettleTimeout: number;
  /** The driver's signal. When it aborts, all calls end. */
  readonly signal: AbortSignal | undefined;
  readonly log: Log;
  readonly mask: ValueMask;
  /** Returns a check that throws for documents whose origin is not in the list. */
  readonly documentCheck: (origins: readonly string[]) => (document: DocumentOrigin) => void;
  /** Explains in timeout errors why the page does not respond, for example because of an unanswered dialog. */
  readonly obstacle?: () => string | undefined;
  watchDownloads(): void;
  onCall?(): void;
  /** Called after a method such as `goto` has navigated or failed. */
  onNavigate(record: NavigationRecord): void;
}

interface CallLimits extends CallOptions {
  readonly gone?: AbortSignal;
  readonly grace?: number;
}

/** Creates the {@link Progress} of a public page or locator call. The call's own timeout overrides the default. */
export function beginCall(operation: string, settings: PageSettings, limits: CallLimits = {}): Progress {
  const { timeout = settings.defaultTimeout, signal, gone, grace = 0 } = limits;
  settings.onCall?.();
  const { obstacle } = settings;
  return new Progress({
    operation,
    timeout,
    grace,
    obstacle,
    signals: [signal],
    sharedSignals: [settings.signal, gone],
  });
}
