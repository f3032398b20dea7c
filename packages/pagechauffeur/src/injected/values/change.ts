import { awaitText } from '../acting/closed-to-keys.ts';
import { selectContent, takeFocus } from '../acting/text-entry.ts';
import type { ChangeBegun, ControlChange, OptionChoice, ValueSet } from '../contract.ts';
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

/** By the tokens of the actions. */
const underWayByToken = new Map<number, UnderWay>();

/**
 * Changes a control, or says why it refuses: by a person's keys where they lead to the value, which the caller is to press
 * then, else by script at once.
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

/** Looks at what the keys have done once they are pressed; a script makes up for what they have not, unless the call was given up. */
export function endChange(token: number, isGivenUp: boolean): ValueSet {
  const underWay = takeUnderWay(token);
  if (!underWay) return { kind: 'stale' };
  const { ref, wanted, change, gate } = underWay;
  if (gate.hasPassed || isGivenUp) return { kind: 'set', values: change.values };
  // The page may have drawn the control anew at one of the keys.
  const answer = changeOf(ref, wanted);
  return answer.kind === 'change' ? { kind: 'set', values: answer.change.byScript() } : answer;
}

function takeUnderWay(token: number): UnderWay | undefined {
  const underWay = underWayByToken.get(token);
  underWay?.gate.close();
  underWayByToken.delete(token);
  return underWay;
}
