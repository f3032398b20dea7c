import { checkOneOf } from '../../util/check-argument.ts';

/** A modifier key. `ControlOrMeta` is Meta on macOS and Control elsewhere. */
export type KeyModifier = 'Alt' | 'Control' | 'ControlOrMeta' | 'Meta' | 'Shift';

const MODIFIERS: readonly KeyModifier[] = ['Alt', 'Control', 'ControlOrMeta', 'Meta', 'Shift'];

export function checkModifiers(modifiers: unknown): asserts modifiers is readonly KeyModifier[] | undefined {
  if (modifiers === undefined) return;
  const names: readonly unknown[] = Array.isArray(modifiers) ? modifiers : [modifiers];
  for (const name of names) checkOneOf('modifiers', name, MODIFIERS);
}
