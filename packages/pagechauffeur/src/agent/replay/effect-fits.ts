import type { ActionEffect } from '../../actions/element-action.ts';
import { canonicalMethod } from '../../actions/methods.ts';

/** Methods that set a state. They may have no effect if the element already has it. */
const SETTING: ReadonlySet<string> = new Set(
  'fill check uncheck select hover focus scrollTo scrollBy nextChunk prevChunk'.split(' '),
);

/**
 * True if the observed effect of a step matches the recorded one. A change that the recording missed may be observed now, because it came
 * late. A field that already has its value shows no effect.
 */
export function effectFits(was: ActionEffect | undefined, now: ActionEffect | undefined, method: string): boolean {
  if (was === undefined || was === now) return true;
  if (was === 'none-observed') return now === 'changed';
  return was === 'changed' && now === 'none-observed' && SETTING.has(canonicalMethod(method) ?? method);
}
