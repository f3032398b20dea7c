import type { Page } from '../../page/page.ts';
import type { ActionEffect } from '../../page/action/element-action.ts';
import { settleDocument, settlePage } from '../../page/action/settle-page.ts';
import { takeSnapshot } from '../../snapshot/take-snapshot.ts';
import { CleanupStack } from '../../util/cleanup-stack.ts';
import { pause } from '../../util/pause.ts';
import type { Progress } from '../../util/progress.ts';
import { documentOf } from '../page-watch.ts';

/** A page that answered a step of an earlier run may answer it later this time, by so many milliseconds. */
const PATIENCE_MS = 1500;
/** How often the page is looked at meanwhile; what changes in it, and in which frame, is only seen by looking. */
const LOOK_AGAIN_MS = 100;

/** A step that showed nothing, and since when it is looked at. */
export interface LateStep {
  readonly page: Page;
  /** The document that the step was done on. */
  readonly before: string;
  /** Milliseconds at most until the page counts as settled. */
  readonly settleTimeout: number;
  /** What has opened since the step began. */
  readonly openings: Openings;
  /** Whether it was done to an element, whose document tells what has changed since. */
  readonly isOnElement: boolean;
}

/** Sees what a page opens from now on: other pages, downloads, dialogs. */
export class Openings implements Disposable {
  readonly #stops = new CleanupStack();
  hasOpened = false;

  constructor({ target }: Page) {
    for (const event of ['popup', 'download', 'downloadNoticed', 'dialog'] as const)
      this.#stops.defer(target.events.on(event, () => void (this.hasOpened = true)));
  }

  [Symbol.dispose](): void {
    this.#stops.dispose();
  }
}

/** What a page shows for a step after all, for which it showed nothing at first. */
export async function lateEffect(
  progress: Progress,
  { page, before, settleTimeout, openings, isOnElement }: LateStep,
): Promise<ActionEffect> {
  const deadline = performance.now() + PATIENCE_MS;
  const shown = await textOf(progress, page);
  // What came before this look, but after the step was over.
  let hasChanged = isOnElement && (await hasChangedMeanwhile(progress, page));
  while (performance.now() < deadline) {
    if (openings.hasOpened) return 'opened';
    hasChanged ||= documentOf(page) !== before || (await textOf(progress, page)) !== shown;
    if (hasChanged) {
      await settlePage(progress, page.target, settleTimeout);
      return documentOf(page) === before ? 'changed' : 'navigated';
    }
    await pause(progress, LOOK_AGAIN_MS);
  }
  return 'none-observed';
}

/** Whether the page's document has changed since the element was made ready. */
async function hasChangedMeanwhile(progress: Progress, { target }: Page): Promise<boolean> {
  const world = await progress.race(target.frames.main.worlds.isolated);
  const look = { timeout: PATIENCE_MS, eventTimeout: 0, frames: 0, keepsWatching: true };
  const report = await settleDocument(progress, world, look);
  return report !== undefined && (report.targetChanged || report.mutations > 0);
}

async function textOf(progress: Progress, page: Page): Promise<string> {
  return (await takeSnapshot(progress, page.target, {})).text;
}
