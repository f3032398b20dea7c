import type { Log } from '../util/log.ts';
import { Progress, type CallOptions } from '../util/progress.ts';

/** A navigation as the history keeps it. */
export interface NavigationRecord {
  readonly parameters: unknown;
  readonly result: unknown;
}

/** What pages share with the driver they belong to. */
export interface PageSettings {
  /** Milliseconds that page and locator calls may take when they do not say. */
  readonly defaultTimeout: number;
  /** Milliseconds at most until a page counts as settled. */
  readonly domSettleTimeout: number;
  /** Ends every call when aborted. */
  readonly signal: AbortSignal | undefined;
  readonly log: Log;
  /** Called after each navigation that a page method made. */
  onNavigate(record: NavigationRecord): void;
}

/** Begins a public call of a page or locator; `gone` ends it with what it works on. */
export function beginCall(
  operation: string,
  settings: PageSettings,
  { timeout = settings.defaultTimeout, signal, gone }: CallOptions & { gone?: AbortSignal } = {},
): Progress {
  return new Progress({ operation, timeout, signals: [signal, settings.signal, gone] });
}
