import type { DriverContext } from '../page/context.ts';
import type { ForeignPage } from '../page/foreign-page.ts';
import type { Page } from '../page/page.ts';
import type { Progress } from '../util/progress.ts';
import type { VerbContext } from '../verb/verb-context.ts';

/** What a run needs of its driver. */
export interface DriverParts {
  readonly browser: DriverContext;
  /** Ends every call of the driver when aborted. */
  readonly signal: AbortSignal;
  /** The page that a call works on: the active one, the given one, or ours for another library's. */
  pageOf(progress: Progress, given: Page | ForeignPage | undefined): Promise<Page>;
  /** Waits while a person has taken over the browser; whether there was one. */
  readonly takeoverEnded: (progress: Progress) => Promise<boolean>;
  /** What verbs work with on a page, for this call. */
  verbs(page: Page): VerbContext;
}
