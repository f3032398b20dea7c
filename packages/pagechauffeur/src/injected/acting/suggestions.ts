import { composedParent } from '../composed-tree.ts';
import type { SuggestionState, SuggestionWait } from '../contract.ts';
import { matches } from '../native.ts';
import { pendingAction } from './pending-action.ts';
import { flushMutations } from './mutation-watch.ts';
import { PageTime } from './timer.ts';
import { Wait } from './wait.ts';

/** What says that a list or another popup belongs to it. */
const WITH_POPUP =
  '[role="combobox"], [aria-autocomplete]:not([aria-autocomplete="none"]), [aria-haspopup]:not([aria-haspopup="false"]), [list]';

/** Whether a field, or the combobox around it, says that what is typed into it brings a popup. */
export function hasPopup(field: Element): boolean {
  const around = composedParent(field);
  return matches(field, WITH_POPUP) || (around !== null && matches(around, '[role="combobox"]'));
}

/** Waits for what the text that was just typed brings, until the page changes or the time is up; not when it has brought something. */
export async function awaitSuggestions({ owner, timeout, waitId }: SuggestionWait): Promise<SuggestionState> {
  const { watch } = pendingAction(owner);
  if (watch.hasBrought()) return 'there';
  watch.goOn();
  const news = watch.follow();
  const wait = new Wait(waitId, timeout);
  // By the clock alone the time is up on a busy machine before what the page put off has run.
  const time = new PageTime(timeout);
  try {
    while (!time.isUp && (await wait.frame())) {
      flushMutations();
      if (news.take('text')) return 'coming';
    }
    return 'none';
  } finally {
    wait.close();
    news.close();
    watch.rest();
  }
}
