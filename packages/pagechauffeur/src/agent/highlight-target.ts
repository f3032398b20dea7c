import { DocumentGoneError } from '../cdp/protocol-error.ts';
import { highlightElement } from '../page/highlight-element.ts';
import type { ToolContext } from '../tools/tool-context.ts';
import { isRecord } from '../util/is-record.ts';

/** Time in ms to show a highlight before the action, long enough to be seen. */
const SHOWN_MS = 400;

/** Highlights the element of a call for viewers of the browser. */
export async function highlightTarget(context: ToolContext, input: unknown): Promise<void> {
  const ref = isRecord(input) ? input['ref'] : undefined;
  const named = typeof ref === 'string' ? context.element(ref) : undefined;
  const { frame, world, element: place } = named?.target ?? {};
  if (!frame || !world || !place || !('ref' in place)) return;
  try {
    await highlightElement(context.progress, { frame, world, ref: place.ref }, { durationMs: SHOWN_MS });
  } catch (error) {
    // The tool itself reports that its element is gone.
    if (!(error instanceof DocumentGoneError)) throw error;
  }
}
