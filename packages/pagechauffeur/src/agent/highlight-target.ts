import { DocumentGoneError } from '../cdp/protocol-error.ts';
import { highlightElement } from '../page/highlight-element.ts';
import type { ToolContext } from '../tools/tool-context.ts';
import { isRecord } from '../util/is-record.ts';

/** Milliseconds that a mark is there before something is done to the element: long enough to be seen. */
const SHOWN_MS = 400;

/** Marks the element that a call acts on, for whoever looks at the browser. */
export async function highlightTarget(context: ToolContext, input: unknown): Promise<void> {
  const ref = isRecord(input) ? input['ref'] : undefined;
  const named = typeof ref === 'string' ? context.element(ref) : undefined;
  const { frame, world, element: place } = named?.target ?? {};
  if (!frame || !world || !place || !('ref' in place)) return;
  try {
    await highlightElement(context.progress, { frame, world, ref: place.ref }, { durationMs: SHOWN_MS });
  } catch (error) {
    // The tool itself will say that its element is gone.
    if (!(error instanceof DocumentGoneError)) throw error;
  }
}
