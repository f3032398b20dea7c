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

/** Everything observed during and after an action. */
export interface Observed {
  readonly trace: ActionTrace;
  readonly settled: SettleOutcome;
  /** Reports from the other frames. */
  readonly elsewhere: readonly OtherFrameReport[];
  /** The element that received the action. */
  readonly element: ElementDescription;
  /** The frame of that element. */
  readonly frame: FrameNode;
  /** True if the action only focuses the element. */
  readonly isFocusing: boolean;
}

/** Classifies the effect of an action. */
export function effectOf({ trace, settled: { reports }, elsewhere, frame, isFocusing }: Observed): ActionEffect {
  const frameThatNavigated = trace.frameThatNavigated(frame);
  if (trace.hasNavigated || frameThatNavigated === 'this') return 'navigated';
  if (trace.hasOpened || [...reports, ...elsewhere].some(({ opened }) => opened !== undefined)) return 'opened';
  // Each report covers the whole action, so only the last one counts. Earlier ones include changes that the page has
  // undone since.
  const last = reports.at(-1);
  const hasChanged =
    trace.hasMoved ||
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

/** Says why the field does not contain the text, according to the last report. */
function inputResult(reports: SettleOutcome['reports']): InputResult | undefined {
  return reports.at(-1)?.entry;
}

/** Notes for text that the field does not contain. */
const ENTRY_NOTES: Readonly<Record<InputResult, string>> = {
  emptied: 'the field is empty: the page removed the text',
  unchanged: 'the field still has its old value: the page did not accept the text',
  different: 'the field contains different text than was entered',
  unfocused: 'another element took the focus, so no text was entered',
  replaced: 'the page replaced this field with another one',
  late: 'the timeout expired before the text was entered',
  locked: 'the page made the field read-only or disabled it, so it did not accept the text',
};

/** Descriptions of scroll positions, by percentage. */
const SCROLL_ENDS: ReadonlyMap<number, string> = new Map([
  [0, 'the top'],
  [100, 'the end'],
]);

/** Notes about everything else that was observed. */
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
  const fate = inputResult(reports);
  if (fate) notes.push(ownNote(ENTRY_NOTES[fate]));
  if (!isQuiet && isWaiting) notes.push(ownNote('the page did not settle in time'));
  return distinctNotes(notes);
}

function invalidNote({ field, reason, others, unnamed }: InvalidFields): EffectNote {
  const rest = unnamed > 0 ? `${others.join(', ')} and ${unnamed} more` : others.join(', ');
  return pageNote(`${field} is invalid: ${JSON.stringify(reason)}${rest === '' ? '' : `; also invalid: ${rest}`}`);
}

// A click also focuses the button. The next snapshot shows that, so it is reported only if nothing else happened.
function focusNotes(observed: Observed): EffectNote[] {
  const { focused, focusMoved } = observed.settled.reports.at(-1) ?? {};
  if (focused === undefined || !(focusMoved || effectOf(observed) === 'none-observed')) return [];
  return [focused.isTarget ? ownNote('it has the focus') : pageNote(`the focus moved to ${focused.title}`)];
}
