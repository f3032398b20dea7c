import type { FrameNode } from '../cdp/frame-node.ts';
import { DocumentGoneError } from '../cdp/protocol-error.ts';
import { PAGE_BOUNDS } from '../page-bounds.ts';
import type { Progress } from '../util/progress.ts';
import { checkAttached } from '../cdp/frame-resolver.ts';

/** `documentElement.outerHTML` does not include the doctype. */
const DOCUMENT_AS_HTML =
  '(document.doctype ? new XMLSerializer().serializeToString(document.doctype) : "") + (document.documentElement?.outerHTML ?? "")';

const TITLE = `document.title.length > ${PAGE_BOUNDS.title} ? document.title.slice(0, ${PAGE_BOUNDS.title}) + "…" : document.title`;

const EXPRESSIONS = { title: TITLE, content: DOCUMENT_AS_HTML } as const;

/** Reads the title or the HTML of a frame. Starts over if the document is replaced meanwhile. */
export async function readDocument(
  progress: Progress,
  frame: FrameNode,
  what: keyof typeof EXPRESSIONS,
): Promise<string> {
  for (;;) {
    checkAttached(frame, `its ${what}`);
    try {
      const world = await progress.race(frame.worlds.isolated);
      return String(await progress.race(world.evaluate(EXPRESSIONS[what], null)));
    } catch (error) {
      if (!(error instanceof DocumentGoneError)) throw error;
      progress.throwIfEnded();
    }
  }
}
