import { repeatedOnUse } from '../../dependencies.ts';
import { memoised } from '../../memo.ts';
import { refOf } from '../../refs.ts';

/** In characters. Shorter text is never truncated. */
export const LONG_TEXT = 160;

const holdersIn = memoised((_document: Document) => new Map<string, Element>());

/** The holder's ref expands the text if it is truncated. */
export function noteLongText(text: string, holder: Element): void {
  repeatedOnUse(() => {
    const holders = holdersIn(document);
    if (!holders.has(text)) holders.set(text, holder);
  });
}

/** Finds only text of the snapshot that is being taken. */
export function holderOfText(text: string): Element | undefined {
  return text.length > LONG_TEXT ? holdersIn(document).get(text) : undefined;
}

/** Returns the ref that expands the text: that of its line, else of its element; 0 if neither is known. */
export function refOfText(text: string, lineRef: number): number {
  if (lineRef !== 0) return lineRef;
  const holder = holderOfText(text);
  return holder ? refOf(holder) : 0;
}
