import { numberOf } from '../../dependencies.ts';
import { memoised } from '../../memo.ts';
import { readableRulesOf } from '../../readable-rules.ts';
import { adoptedSheetsIn, styleSheetsIn } from '../../native-document.ts';

/** The first rules are compared by their text, the others only as objects. */
const MAX_COMPARED_RULES = 500;

/** Identifies the style sheets and rules of a document. Differs after a change of them. */
export const sheetsSignature: (root: Document) => string = memoised((root: Document) => {
  const writer = new SignatureWriter();
  for (const sheet of [...styleSheetsIn(root), ...adoptedSheetsIn(root)]) writer.addSheet(sheet);
  return writer.text;
});

class SignatureWriter {
  text = '';
  #rulesLeft = MAX_COMPARED_RULES;

  addSheet(sheet: CSSStyleSheet): void {
    this.text += ` ${numberOf(sheet)} ${sheet.disabled} ${sheet.media.mediaText}`;
    this.#addRules(readableRulesOf(sheet) ?? []);
  }

  #addRules(rules: Iterable<CSSRule>): void {
    for (const rule of rules) {
      if (rule instanceof CSSGroupingRule) {
        this.text += ` ${numberOf(rule)}`;
        this.#addRules(rule.cssRules);
      } else if (rule instanceof CSSImportRule && rule.styleSheet) this.addSheet(rule.styleSheet);
      else if (this.#rulesLeft > 0) this.text += rule.cssText;
      else this.text += ` ${numberOf(rule)}`;
      this.#rulesLeft -= 1;
    }
  }
}
