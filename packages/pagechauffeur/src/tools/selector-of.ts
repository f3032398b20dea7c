import { refXPaths } from '../snapshot/ref-xpaths.ts';
import type { NamedElement, ToolContext } from './tool-context.ts';

/** Asks the page for a selector of an element. Returns `undefined` if the element left the page. */
export async function selectorOf(
  { progress }: Pick<ToolContext, 'progress'>,
  { target: { frame, world, element, label }, role, name }: NamedElement,
): Promise<string | undefined> {
  if (!world || !('ref' in element)) return label;
  const place = { frame, world, ref: element.ref, role, name };
  const xpath = (await refXPaths(progress, [place])).get(place);
  return xpath === undefined ? undefined : `xpath=${xpath}`;
}
