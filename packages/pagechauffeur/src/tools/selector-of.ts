import { refXPaths } from '../snapshot/xpaths.ts';
import type { NamedElement, ToolContext } from './tool-context.ts';

/** Returns a selector for the element. Returns `undefined` if the element has left the page. */
export async function selectorOf(
  { progress }: Pick<ToolContext, 'progress'>,
  { target: { frame, world, element, label }, role, name }: NamedElement,
): Promise<string | undefined> {
  if (!world || !('ref' in element)) return label;
  const locatable = { frame, world, ref: element.ref, role, name };
  const xpath = (await refXPaths(progress, [locatable])).get(locatable);
  return xpath === undefined ? undefined : `xpath=${xpath}`;
}
