import type { DocumentOrigin } from '../injected/contract.ts';
import type { Log } from '../util/log.ts';
import { Progress, type CallOptions } from '../util/progress.ts';
import type { ValueMask } from '../util/value-mask.ts';

/** A navigation as the history keeps it. */
export interface NavigationRecord {
  readonly parameters: unknown;
  readonly result: unknown;
}

/** What pages share with the driver they belong to. */
export interface PageSettings {
  /** Milliseconds that page and locator calls may take when they do not say. */
  readonly defaultTimeout: number;
  /** Tokens that a page's text may have before what repeats is folded. */
  readonly tokenBudget: number;
  /** Milliseconds at most until a page counts as settled. */
  readonly domSettleTimeout: number;
  /** Ends every call when aborted. */
  readonly signal: AbortSignal | undefined;
  readonly log: Log;
  /** Values of variables that went into pages: no picture shows them. */
  readonly secrets: Set<string>;
  /** Keeps values of variables out of errors. */
  readonly mask: ValueMask;
  /** Judges documents by origins that a text is bound to; throws if these are none. */
  readonly documentCheck: (origins: readonly string[]) => (document: DocumentOrigin) => void;
  /** What stands in the way of the page that a call is for, in words, such as a dialog that nobody answered. */
  readonly obstacle?: () => string | undefined;
  /** Sees to it that the browser reports downloads. */
  watchDownloads(): void;
  /** Called when a call begins. */
  onCall?(): void;
  /** Called after each navigation that a page method made. */
  onNavigate(record: NavigationRecord): void;
}

/** The limits of a call, and what else ends it. */
interface CallLimits extends CallOptions {
  /** Ends the call with what it works on. */
  readonly gone?: AbortSignal;
  readonly grace?: number;
}

/** Begins a public call of a page or locator. */
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
