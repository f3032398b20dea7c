import type { Page } from '../../page/page.ts';
import type { ActionEffect } from '../../page/action/element-action.ts';
import { settlePage } from '../../page/action/settle-page.ts';
import { takeSnapshot } from '../../snapshot/take-snapshot.ts';
import { pause } from '../../util/pause.ts';
import type { Progress } from '../../util/progress.ts';
import { documentOf } from '../page-watch.ts';

/** A page that answered a step of an earlier run may answer it later this time, by so many milliseconds. */
const PATIENCE_MS = 1500;
/** How often the page is looked at meanwhile; what changes in it, and in which frame, is only seen by looking. */
const LOOK_AGAIN_MS = 100;

interface LateStep {
  readonly page: Page;
  /** The document that the step was done on. */
  readonly before: string;
  /** Milliseconds at most until the page counts as settled. */
  readonly settleTimeout: number;
}

/** What a page shows for a step after all, for which it showed nothing at first. */
export async function lateEffect(progress: Progress, { page, before, settleTimeout }: LateStep): Promise<ActionEffect> {
  const deadline = performance.now() + PATIENCE_MS;
  const shown = await textOf(progress, page);
  while (performance.now() < deadline) {
    const isNew = documentOf(page) !== before;
    if (isNew || (await textOf(progress, page)) !== shown) {
      await settlePage(progress, page.target, settleTimeout);
      return documentOf(page) === before ? 'changed' : 'navigated';
    }
    await pause(progress, LOOK_AGAIN_MS);
  }
  return 'none-observed';
}

async function textOf(progress: Progress, page: Page): Promise<string> {
  return (await takeSnapshot(progress, page.target, {})).text;
}
