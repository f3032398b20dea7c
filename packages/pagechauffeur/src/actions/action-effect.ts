import type { FrameNode } from '../cdp/frame-node.ts';
import type {
  OtherFrameReport,
  ElementDescription,
  InputResult,
  InvalidFields,
  SettleReport,
} from '../injected/contract.ts';
import type { ActionTrace } from './action-trace.ts';
import { distinctNotes, type EffectNote, notesOfReport, ownNote, pageNote } from './effect-note.ts';
import type { ActionEffect } from './element-action.ts';
import type { SettleOutcome } from './settle-page.ts';

export interface Observed {
  readonly trace: ActionTrace;
  readonly settled: SettleOutcome;
  /** Reports from frames other than `frame`. Empty if they were not queried. */
  readonly elsewhere: readonly OtherFrameReport[];
  readonly element: ElementDescription;
  readonly frame: FrameNode;
  /** True for `focus`. Then focus on the element itself counts as a change, too. */
  readonly isFocusing: boolean;
}

/** Classifies the effect: navigation first, then anything that opened, then changes to the page. */
export function effectOf({ trace, settled: { reports }, elsewhere, frame, isFocusing }: Observed): ActionEffect {
  const frameThatNavigated = trace.frameThatNavigated(frame);
  if (trace.hasNavigated || frameThatNavigated === 'this') return 'navigated';
  if (trace.hasOpened || [...reports, ...elsewhere].some(({ opened }) => opened !== undefined)) return 'opened';
  // Every report has all changes since the action began. The last one counts, because the page may have undone changes
  // since an earlier one.
  const last = reports.at(-1);
  const hasChanged =
    trace.hasMoved ||
    trace.hasClosed ||
    frameThatNavigated === 'other' ||
    (last !== undefined && isChange(last, isFocusing)) ||
    elsewhere.some(({ mutations }) => mutations > 0);
  return hasChanged ? 'changed' : 'none-observed';
}

function isChange(report: SettleReport, isFocusing: boolean): boolean {
  const { targetChanged, mutations, focusMoved, focused, selected } = report;
  return (
    targetChanged || mutations > 0 || focusMoved || selected !== undefined || (isFocusing && focused !== undefined)
  );
}

function inputResult(reports: SettleOutcome['reports']): InputResult | undefined {
  return reports.at(-1)?.entry;
}

/** Why the field does not contain the entered text. */
const ENTRY_NOTES: Readonly<Record<InputResult, string>> = {
  emptied: 'the field is empty: the page removed the text',
  unchanged: 'the field still has its old value: the page did not accept the text',
  different: 'the field contains different text than was entered',
  unfocused: 'another element took the focus, so no text was entered',
  replaced: 'the page replaced this field with another one',
  late: 'the timeout expired before the text was entered',
  locked: 'the page made the field read-only or disabled it, so it did not accept the text',
};

const SCROLL_ENDS: ReadonlyMap<number, string> = new Map([
  [0, 'the top'],
  [100, 'the end'],
]);

/** Returns notes about what happened, such as dialogs, scrolling, invalid fields and lost text. */
export function notesOf(observed: Observed, isWaiting: boolean): EffectNote[] {
  const { trace, settled, elsewhere, frame } = observed;
  const { reports, isQuiet } = settled;
  const notes = [...trace.notes];
  if (!trace.hasNavigated && trace.frameThatNavigated(frame)) notes.push(ownNote('a frame of the page navigated'));
  notes.push(...[...reports, ...elsewhere].flatMap(notesOfReport), ...focusNotes(observed));
  const { scrolled, selected, invalid } = reports.at(-1) ?? {};
  if (scrolled !== undefined) notes.push(ownNote(`scrolled to ${SCROLL_ENDS.get(scrolled) ?? `${scrolled} %`}`));
  if (selected !== undefined) notes.push(pageNote(`the text ${JSON.stringify(selected)} is selected`));
  if (invalid) notes.push(invalidNote(invalid));
  const entry = inputResult(reports);
  if (entry) notes.push(ownNote(ENTRY_NOTES[entry]));
  if (!isQuiet && isWaiting && !trace.hasClosed) notes.push(ownNote('the page did not settle in time'));
  return distinctNotes(notes);
}

function invalidNote({ field, reason, others, unnamed }: InvalidFields): EffectNote {
  const rest = unnamed > 0 ? `${others.join(', ')} and ${unnamed} more` : others.join(', ');
  return pageNote(`${field} is invalid: ${JSON.stringify(reason)}${rest === '' ? '' : `; also invalid: ${rest}`}`);
}

// A click also focuses a button, which the next snapshot shows anyway. So the focus is reported only if it moved or
// nothing else happened.
function focusNotes(observed: Observed): EffectNote[] {
  const { focused, focusMoved } = observed.settled.reports.at(-1) ?? {};
  if (focused === undefined || !(focusMoved || effectOf(observed) === 'none-observed')) return [];
  return [focused.isTarget ? ownNote('it has the focus') : pageNote(`the focus moved to ${focused.title}`)];
}
