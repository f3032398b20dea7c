import { settlePage } from '../page/action/settle-page.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import type { DoneStep } from '../verb/perform-step.ts';
import { type ActCall, readPage, type Sentence } from './act-call.ts';
import { type ActResult, resultOf } from './act-result.ts';
import { lastStep, unfinished } from './last-step.ts';
import { secondLook } from './second-look.ts';

/** The step that was to open something, and the page before it. */
export interface OpeningStep {
  readonly sentence: Sentence;
  readonly first: DoneStep;
  readonly shown: Snapshot;
  /** Whether the model may ask for what is folded away. */
  readonly mayExpand: boolean;
}

/**
 * After a step that was to open something: the page is read again for the step it was opened for. When nothing opened, no
 * model is asked and nothing more is done.
 */
export async function secondStep(
  call: ActCall,
  { sentence, first, shown, mayExpand }: OpeningStep,
): Promise<ActResult> {
  const { snapshot, hasNews } = await snapshotWithNews(call, { sentence, shown });
  const opened = resultOf(sentence.written, [first]);
  if (!hasNews && opened.effect === 'none-observed')
    return unfinished(opened, `Nothing opened by it, so the step it was done for was not tried.`);
  return lastStep(call, { sentence, first, snapshot, look: secondLook(shown, snapshot), mayExpand });
}

/** What opens may be built a moment after the click: the page is read until it shows an element that was not there. */
async function snapshotWithNews(
  call: ActCall,
  { sentence, shown }: Pick<OpeningStep, 'sentence' | 'shown'>,
): Promise<{ snapshot: Snapshot; hasNews: boolean }> {
  const { progress, context } = call;
  const deadline = performance.now() + OPENING_TIMEOUT_MS;
  for (;;) {
    const snapshot = await readPage(call, { instruction: sentence.text, earlier: shown });
    const hasNews = [...snapshot.refs].some(([ref, { world }]) => shown.refs.get(ref)?.world !== world);
    if (hasNews || performance.now() > deadline) return { snapshot, hasNews };
    // Ends with the page's next two quiet frames, so a page that stays as it is is read about 30 times a second.
    await settlePage(progress, context.page.target, context.domSettleTimeout);
  }
}

const OPENING_TIMEOUT_MS = 1000;
