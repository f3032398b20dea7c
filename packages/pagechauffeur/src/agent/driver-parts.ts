import type { DriverContext } from '../page/context.ts';
import type { ForeignPage } from '../page/foreign-page.ts';
import type { Page } from '../page/page.ts';
import type { Progress } from '../util/progress.ts';
import type { VerbContext } from '../verb/verb-context.ts';

/** What a run needs from the driver. */
export interface DriverParts {
  readonly browser: DriverContext;
  /** Aborts when the driver closes. */
  readonly signal: AbortSignal;
  /**
   * Returns the page to run on: the driver's page for `given`, which can come from another library, or the active page.
   */
  pageOf(progress: Progress, given: Page | ForeignPage | undefined): Promise<Page>;
  /** Waits while an operator controls the browser. Resolves to true if one did. */
  readonly takeoverEnded: (progress: Progress) => Promise<boolean>;
  verbs(page: Page): VerbContext;
}
