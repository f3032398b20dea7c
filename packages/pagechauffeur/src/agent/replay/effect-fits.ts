import type { ActionEffect } from '../../page/action/element-action.ts';
import { canonicalMethod } from '../../page/action/methods.ts';

/** Methods after which an element is as wanted, whether or not it was so before. */
const SETTING: ReadonlySet<string> = new Set(
  'fill check uncheck select hover focus scrollTo scrollBy nextChunk prevChunk'.split(' '),
);

/**
 * Whether what a page shows for a step is what it showed then. A change that was not seen then may be seen now: it came late. A field
 * that is already as wanted shows none.
 */
export function effectFits(was: ActionEffect | undefined, now: ActionEffect | undefined, method: string): boolean {
  if (was === undefined || was === now) return true;
  if (was === 'none-observed') return now === 'changed';
  return was === 'changed' && now === 'none-observed' && SETTING.has(canonicalMethod(method) ?? method);
}
