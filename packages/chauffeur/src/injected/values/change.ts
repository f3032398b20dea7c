import { selectContent, takeFocus } from '../acting/text-entry.ts';
import type { ChangeBegun, Keyboard, OptionChoice, ValueSet } from '../contract.ts';
import { type ChangeGate, holdBack } from './change-gate.ts';
import { changeOf } from './change-of.ts';
import type { Change } from './control-change.ts';

/** A change that keys are to make. */
interface UnderWay {
  readonly ref: number;
  readonly wanted: readonly (string | OptionChoice)[];
  readonly change: Change;
  readonly gate: ChangeGate;
}

let underWay: UnderWay | null = null;

/**
 * Changes a control, or says why it refuses: by a person's keys where they lead to the value, which the caller is to press
 * then, else by script at once.
 */
export function beginChange(ref: number, wanted: readonly (string | OptionChoice)[], keyboard: Keyboard): ChangeBegun {
  underWay?.gate.close();
  underWay = null;
  const answer = changeOf(ref, wanted);
  if (answer.kind !== 'change') return answer;
  const { change } = answer;
  const { control, values } = change;
  const hasFocus = takeFocus(control);
  if (!change.isNeeded) return { kind: 'set', values };
  const way = hasFocus ? change.keyWay(keyboard) : null;
  if (!way) return { kind: 'set', values: change.byScript() };
  if (way.text !== '') selectContent(control);
  underWay = { ref, wanted, change, gate: holdBack(control, change.isReached) };
  return { kind: 'keys', ...way, values };
}

/** Looks at what the keys have done once they are pressed; a script makes up for what they have not, unless the call was given up. */
export function endChange(isGivenUp: boolean): ValueSet {
  if (!underWay) return { kind: 'stale' };
  const { ref, wanted, change, gate } = underWay;
  underWay = null;
  gate.close();
  if (gate.hasPassed || isGivenUp) return { kind: 'set', values: change.values };
  // The page may have drawn the control anew at one of the keys.
  const answer = changeOf(ref, wanted);
  return answer.kind === 'change' ? { kind: 'set', values: answer.change.byScript() } : answer;
}
