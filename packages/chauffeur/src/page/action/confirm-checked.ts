import { DocumentGoneError } from '../../cdp/protocol-error.ts';
import { DriverLocatorError } from '../../errors.ts';
import type { SettleReport } from '../../injected/contract.ts';
import type { Progress } from '../../util/progress.ts';
import type { ReadyElement } from './element-action.ts';
import { taggedPhrase } from './element-phrase.ts';
import { settleDocument } from './settle-page.ts';

/** A page that turns a control later than this, without anything being seen meanwhile, is not waited for. */
const LATEST_TURN_MS = 2000;

const RADIO_STAYS_ON = 'a radio button goes off only when another of its group is checked. Check that one.';
const PAGE_KEEPS_IT =
  'the page keeps it so. Do first what it asks for, or use click() when the state that follows does not matter.';

/** A control that was clicked, and what the click was for. */
interface Turning {
  readonly ready: ReadyElement;
  readonly wanted: boolean;
  readonly reports: readonly SettleReport[];
}

/** Throws when a control that was clicked is not as it was to be: the page may keep it as it was, or turn it late. */
export async function confirmChecked(progress: Progress, turning: Turning): Promise<void> {
  const { ready, wanted, reports } = turning;
  if (reports.length === 0 || reports.at(-1)?.targetChanged) return;
  await settleDocument(progress, ready.world, { timeout: LATEST_TURN_MS, eventTimeout: 0, isLate: true });
  if ((await isChecked(progress, ready)) !== !wanted) return;
  const described = await progress.race(ready.world.call('describe', { ref: ready.element.ref }));
  const phrase = described ? taggedPhrase(described) : ready.element.tag;
  const reason = described?.role === 'radio' && !wanted ? RADIO_STAYS_ON : PAGE_KEEPS_IT;
  throw new DriverLocatorError(`Clicked ${phrase}, but it is still ${wanted ? 'off' : 'on'}: ${reason}`, {
    selector: ready.target.label,
    callLog: progress.callLog,
  });
}

/** Undefined when the control is no longer there, which is the page's answer. */
async function isChecked(progress: Progress, { world, element }: ReadyElement): Promise<unknown> {
  try {
    const answer = await progress.race(world.call('read', { ref: element.ref }, 'isChecked'));
    return answer.kind === 'value' ? answer.value : undefined;
  } catch (error) {
    if (error instanceof DocumentGoneError) return undefined;
    throw error;
  }
}
