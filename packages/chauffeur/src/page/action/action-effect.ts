import type { FrameNode } from '../../cdp/frame-node.ts';
import type { BystanderReport, ElementDescription, EntryFate, SettleReport } from '../../injected/contract.ts';
import type { ActionWatch } from './action-watch.ts';
import type { ActionEffect } from './element-action.ts';
import type { SettleOutcome } from './settle-page.ts';

/** All that was seen of what an action did. */
export interface Observed {
  readonly watch: ActionWatch;
  readonly settled: SettleOutcome;
  /** What was seen in frames that are not the one that was acted in. */
  readonly elsewhere: readonly BystanderReport[];
  /** What it was done to. */
  readonly element: ElementDescription;
  /** The frame that was acted in. */
  readonly frame: FrameNode;
  /** Whether the focus was all that the action was for. */
  readonly isFocusing: boolean;
}

/** What an action did, as far as the page shows. */
export function effectOf({ watch, settled: { reports }, elsewhere, frame, isFocusing }: Observed): ActionEffect {
  const frameThatNavigated = watch.frameThatNavigated(frame);
  if (watch.hasNavigated || frameThatNavigated === 'this') return 'navigated';
  if (watch.hasOpened || [...reports, ...elsewhere].some(({ opened }) => opened !== undefined)) return 'opened';
  // Each report counts from the beginning; what changed and changed back stands in an earlier one only.
  const last = reports.at(-1);
  const hasChanged =
    watch.hasMoved ||
    frameThatNavigated === 'other' ||
    (last !== undefined && isChange(last, isFocusing)) ||
    elsewhere.some(({ mutations }) => mutations > 0);
  return hasChanged ? 'changed' : 'none-observed';
}

function isChange({ targetChanged, mutations, focusMoved, focused }: SettleReport, isFocusing: boolean): boolean {
  return targetChanged || mutations > 0 || focusMoved || (isFocusing && focused !== undefined);
}

/** What became of text that the field does not hold. */
export function entryFateOf(reports: SettleOutcome['reports']): EntryFate | undefined {
  return reports.at(-1)?.entry;
}

/** What is told of text that a field does not hold. */
const ENTRY_NOTES: Readonly<Record<EntryFate, string>> = {
  emptied: 'the field is empty: the page did not keep the text',
  unchanged: 'the field holds what it held before: the page did not take the text',
  different: 'the field holds something other than the text that was given',
  elsewhere: 'the text went into another field, which took the focus',
  replaced: 'the page put another field in the place of this one',
};

/** Sentences about what else was seen. */
export function notesOf(
  { watch, settled: { reports, isQuiet }, elsewhere, frame, element }: Observed,
  isWaiting: boolean,
): string[] {
  const notes = [...watch.notes];
  if (!watch.hasNavigated && watch.frameThatNavigated(frame))
    notes.push('a frame of the page went to another document');
  for (const { opened, announced } of [...reports, ...elsewhere]) {
    if (opened) notes.push(`${opened} opened`);
    notes.push(...announced.map((text) => `the page says ${JSON.stringify(text)}`));
  }
  const { focused, focusMoved } = reports.at(-1) ?? {};
  if (focusMoved && focused !== undefined)
    notes.push(focused === titleOf(element) ? 'it has the focus' : `the focus moved to ${focused}`);
  const fate = entryFateOf(reports);
  if (fate) notes.push(ENTRY_NOTES[fate]);
  if (!isQuiet && isWaiting) notes.push('the page had not come to rest when the time for that was up');
  return [...new Set(notes)];
}

/** An element as the program in the page names it in reports. */
function titleOf({ role, name }: ElementDescription): string {
  return name === '' ? role : `${role} "${name}"`;
}
