import { memoised } from '../memo.ts';
import { refOf } from '../refs.ts';

/** Shorter texts are never cut. */
export const LONG_TEXT = 160;

const holdersIn = memoised((_document: Document) => new Map<string, Element>());

/** Notes the element of a long text, whose ref expands the text if it is cut. */
export function noteLongText(text: string, holder: Element): void {
  const holders = holdersIn(document);
  if (!holders.has(text)) holders.set(text, holder);
}

/** The element of a long text, from this reading of the page. */
export function holderOfText(text: string): Element | undefined {
  return text.length > LONG_TEXT ? holdersIn(document).get(text) : undefined;
}

/** The ref that expands a text: that of its line, else of its element; 0 if neither is known. */
export function refOfText(text: string, lineRef: number): number {
  if (lineRef !== 0) return lineRef;
  const holder = holderOfText(text);
  return holder ? refOf(holder) : 0;
}
