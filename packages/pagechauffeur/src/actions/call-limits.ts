import type { DocumentOrigin } from '../injected/contract.ts';
import type { Log } from '../util/log.ts';
import { Progress, type CallOptions } from '../util/progress.ts';
import type { ValueMask } from '../util/value-mask.ts';

/** A navigation in the history. */
export interface NavigationRecord {
  readonly parameters: unknown;
  readonly result: unknown;
}

/** Settings that pages share with the driver. */
export interface PageSettings {
  /** Default timeout of page and locator calls, in ms. */
  readonly defaultTimeout: number;
  /** Maximum number of tokens of page text. On longer pages, repeated content is folded. */
  readonly tokenBudget: number;
  /** Maximum time in ms for a page to settle. */
  readonly domSettleTimeout: number;
  /** Ends every call when aborted. */
  readonly signal: AbortSignal | undefined;
  readonly log: Log;
  /** Masks variable values in errors and screenshots. */
  readonly mask: ValueMask;
  /** Returns a function that throws unless a document has one of these origins. */
  readonly documentCheck: (origins: readonly string[]) => (document: DocumentOrigin) => void;
  /** Describes what blocks the page of a call, such as an unanswered dialog. */
  readonly obstacle?: () => string | undefined;
  /** Tells the browser to report downloads. */
  watchDownloads(): void;
  /** Called when a call starts. */
  onCall?(): void;
  /** Called after each navigation by a page method. */
  onNavigate(record: NavigationRecord): void;
}

/** Timeout and signals of a call. */
interface CallLimits extends CallOptions {
  /** Ends the call when its target has closed. */
  readonly gone?: AbortSignal;
  readonly grace?: number;
}

/** Starts a public call of a page or locator. */
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
