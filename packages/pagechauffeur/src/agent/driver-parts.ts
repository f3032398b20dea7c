import type { DriverContext } from '../page/context.ts';
import type { ForeignPage } from '../page/foreign-page.ts';
import type { Page } from '../page/page.ts';
import type { Progress } from '../util/progress.ts';
import type { VerbContext } from '../verb/verb-context.ts';

/** The parts of the driver that a run needs. */
export interface DriverParts {
  readonly browser: DriverContext;
  /** Ends every call of the driver when aborted. */
  readonly signal: AbortSignal;
  /**
   * Returns the page of a call: the given page, the driver's page for a page of another library, or the active page.
   */
  pageOf(progress: Progress, given: Page | ForeignPage | undefined): Promise<Page>;
  /** Waits while a person controls the browser. Resolves to true if one did. */
  readonly takeoverEnded: (progress: Progress) => Promise<boolean>;
  /** Context for calling verbs on a page during this call. */
  verbs(page: Page): VerbContext;
}
