import { awaitText } from '../acting/closed-to-keys.ts';
import { selectContent, takeFocus } from '../acting/text-entry.ts';
import type { ChangeBegun, ControlChange, OptionChoice, ValueSet } from '../contract.ts';
import { type ChangeGate, holdBack } from './change-gate.ts';
import { changeOf } from './change-of.ts';
import type { Change } from './control-change.ts';

/** A change that keys are making. */
interface UnderWay {
  readonly ref: number;
  readonly wanted: readonly (string | OptionChoice)[];
  readonly change: Change;
  readonly gate: ChangeGate;
}

/** By action token. */
const underWayByToken = new Map<number, UnderWay>();

/**
 * Changes a control, or returns why it refuses. If a person's keys lead to the value, returns the keys for the caller to press; otherwise
 * sets the value by script at once.
 */
export function beginChange({
  token,
  ref,
  values: wanted,
  keyboard,
  origin = self.origin,
}: ControlChange): ChangeBegun {
  if (origin !== self.origin) return { kind: 'stale' };
  takeUnderWay(token);
  const answer = changeOf(ref, wanted);
  if (answer.kind !== 'change') return answer;
  const { change } = answer;
  const { control, values } = change;
  const hasFocus = takeFocus(control);
  if (!change.isNeeded) return { kind: 'set', values };
  const way = hasFocus ? change.keySequenceKind(keyboard) : null;
  if (!way) return { kind: 'set', values: change.byScript() };
  awaitText(token);
  if (way.text !== '') selectContent(control);
  underWayByToken.set(token, { ref, wanted, change, gate: holdBack(token, control, change.isReached) });
  return { kind: 'keys', ...way, values };
}

/** Checks the result once the keys were pressed. If they did not lead to the value, sets it by script, unless the call was given up. */
export function endChange(token: number, isGivenUp: boolean): ValueSet {
  const underWay = takeUnderWay(token);
  if (!underWay) return { kind: 'stale' };
  const { ref, wanted, change, gate } = underWay;
  if (gate.hasPassed || isGivenUp) return { kind: 'set', values: change.values };
  // The page may have re-created the control during one of the keys.
  const answer = changeOf(ref, wanted);
  return answer.kind === 'change' ? { kind: 'set', values: answer.change.byScript() } : answer;
}

function takeUnderWay(token: number): UnderWay | undefined {
  const underWay = underWayByToken.get(token);
  underWay?.gate.close();
  underWayByToken.delete(token);
  return underWay;
}
