import type { DriverContext } from '../page/context.ts';
import type { ForeignPage } from '../page/foreign-page.ts';
import type { Page } from '../page/page.ts';
import type { Progress } from '../util/progress.ts';
import type { VerbContext } from '../verb/verb-context.ts';

/** What a run needs from its driver. */
export interface DriverParts {
  readonly browser: DriverContext;
  /** Ends every call of the driver when aborted. */
  readonly signal: AbortSignal;
  /** The page of a call: the given one, the driver's page for one of another library, or the active one. */
  pageOf(progress: Progress, given: Page | ForeignPage | undefined): Promise<Page>;
  /** Waits while a person controls the browser. Resolves to true if one did. */
  readonly takeoverEnded: (progress: Progress) => Promise<boolean>;
  /** Context for verbs on a page, for this call. */
  verbs(page: Page): VerbContext;
}
