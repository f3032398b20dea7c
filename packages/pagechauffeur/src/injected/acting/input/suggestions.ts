import { composedParent } from '../../tree/composed-tree.ts';
import type { CallId, SuggestionState, SuggestionWait } from '../../contract.ts';
import { matches } from '../../native.ts';
import { pendingAction } from '../pending-action.ts';
import { flushMutations } from '../effects/mutation-watch.ts';
import { PageTime } from '../timer.ts';
import { Wait } from '../wait.ts';

/** Fields that declare a list or another popup. */
const WITH_POPUP =
  '[role="combobox"], [aria-autocomplete]:not([aria-autocomplete="none"]), [aria-haspopup]:not([aria-haspopup="false"]), [list]';

/** True if the field or the combobox around it declares that typing opens a popup. */
export function hasPopup(field: Element): boolean {
  const parent = composedParent(field);
  return matches(field, WITH_POPUP) || (parent !== null && matches(parent, '[role="combobox"]'));
}

/** Returns `there` immediately if typing has already opened suggestions. */
export async function awaitSuggestions({ owner, timeout }: SuggestionWait, call?: CallId): Promise<SuggestionState> {
  const { watch } = pendingAction(owner);
  if (watch.hasAddedContent()) return 'there';
  watch.resume();
  const changes = watch.follow();
  const wait = new Wait(timeout, call);
  // On a busy machine, wall-clock time alone could end before the timers of the page have run.
  const time = new PageTime(timeout);
  try {
    while (!time.isUp && (await wait.frame())) {
      flushMutations();
      if (changes.take('text')) return 'coming';
    }
    return 'none';
  } finally {
    wait.close();
    changes.close();
    watch.rest();
  }
}
