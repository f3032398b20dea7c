import { memoised } from '../../memo.ts';
import { readableRulesOf } from '../../readable-rules.ts';
import { adoptedSheetsIn, styleSheetsIn } from '../../tree-scope.ts';

/** In documents with more rules, only their number counts. */
export const MAX_COMPARED_RULES = 500;
const numberBySheet = new WeakMap<CSSStyleSheet, number>();
let lastNumber = 0;

/** Identifies the style sheets and rules of a document. Differs after a change of them. */
export const sheetsSignature: (root: Document) => string = memoised((root: Document) => {
  const sheets = [...styleSheetsIn(root), ...adoptedSheetsIn(root)];
  const counts = sheets.map((sheet) => readableRulesOf(sheet)?.length ?? 0);
  const isCompared = counts.reduce((sum, count) => sum + count, 0) <= MAX_COMPARED_RULES;
  return sheets
    .map((sheet, index) => `${numberOf(sheet)} ${sheet.disabled} ${isCompared ? textOf(sheet) : counts[index]}`)
    .join();
});

function numberOf(sheet: CSSStyleSheet): number {
  const known = numberBySheet.get(sheet);
  if (known !== undefined) return known;
  lastNumber += 1;
  numberBySheet.set(sheet, lastNumber);
  return lastNumber;
}

function textOf(sheet: CSSStyleSheet): string {
  let text = sheet.media.mediaText;
  for (const rule of readableRulesOf(sheet) ?? []) {
    text += rule.cssText;
    if (rule instanceof CSSImportRule && rule.styleSheet) text += textOf(rule.styleSheet);
  }
  return text;
}
