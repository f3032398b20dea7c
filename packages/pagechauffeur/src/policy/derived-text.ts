import { areFiguresIn, isNegative, isRunIn, numbersOf, speaksOfNegative } from './figures.ts';
import { isDateOrTime, DatePhrases } from './date-phrases.ts';
import { numberPhrases } from './number-phrases.ts';
import type { InstructionText } from './clauses.ts';
import { asksToSeek, leavesNumberOpen, textSourceOf } from './text-source.ts';
import { isSameWord, squashed, wordsIn } from './words.ts';

/**
 * Where typed text may come from. `instruction`: the instruction states it; `left to the model`: the model writes it;
 * `left to the page`: the instruction refers to text on the page.
 */
export type Origin = 'instruction' | 'left to the model' | 'left to the page';

export interface TextQuestion {
  readonly instruction: InstructionText;
  /** `''` if the field has no name. */
  readonly fieldName: string;
  readonly pageText: () => string;
}

/**
 * Returns where text to type comes from, or `null` if the instruction does not allow it. Text that the instruction
 * states must match word by word; dates, times and numbers may have another format. If the instruction leaves the text
 * to the model, no match is required. If that is unclear, the page must not contain the text.
 */
export function originOf(
  text: string,
  { instruction: instructionText, fieldName, pageText }: TextQuestion,
): Origin | null {
  const instruction = instructionText.ownWords;
  if (text.trim() === '') return EMPTYING.test(instruction) || instructionText.hasEmptyQuotation ? 'instruction' : null;
  if (isNegative(text) && !speaksOfNegative(instruction)) return null;
  if (BREAKS.test(text) && !ASKS_FOR_BREAKS.test(instruction)) return null;
  if (isIn(text, instruction) && areFiguresIn(text, instruction)) return 'instruction';
  if (isRewritten(text, instruction)) return 'instruction';
  if (leavesNumberOpen(text, instruction)) return 'left to the model';
  if (LEAVES_TO_PAGE.test(instruction) && isIn(text, pageText())) return 'left to the page';
  const source = textSourceOf(instructionText, fieldName);
  if (source === 'left open') return 'left to the model';
  return source === 'unclear' && isOwnText(text, instructionText, pageText()) ? 'left to the model' : null;
}

/** Characters that can submit a form or move the focus. */
const BREAKS = /[\n\r\t]/;
const ASKS_FOR_BREAKS =
  /[\n\r\t]|\\n|\b(?:(?:multi-?)?lines?|paragraphs?|letter|e-?mail|mail|poem|verses?|essay|story|list|brief|gedicht|absatz|absätze|zeilen?|lettre|poème|lignes?|carta|poema|líneas?)\b|手紙|改行|行/i;
const EMPTYING =
  /\b(?:clear|empty|erase|delete|remove|reset|blank|nothing|without|leere?n?|lösche?n?|entferne?n?|vide[rz]?|efface[rz]?|supprime[rz]?|borra|vacía|elimina|svuota|cancella)\b|空に|消し|消去|削除|クリア|清空|删除|очисти|удали/i;
/** Phrases that refer to text on the page: "type the code shown above". */
const LEAVES_TO_PAGE =
  /\b(?:shown|displayed|listed|given|printed|mentioned|above|below|same|copy|captcha|on (?:the|this) page|on (?:the )?screen|from the (?:page|table|list|text|message|row))\b/i;

/** Compares only letters and digits. Text without any must occur literally. */
function isIn(text: string, source: string): boolean {
  const letters = squashed(text);
  return letters === '' ? source.includes(text.trim()) : squashed(source).includes(letters);
}

/**
 * True if the instruction states the text in other words, for example "five" for `5`. Accepts any hex color if the
 * instruction mentions a color, and any date if it mentions a relative one, such as "tomorrow".
 */
function isRewritten(text: string, instruction: string): boolean {
  if ((COLOR.test(text) && COLOR_WORDS.test(instruction)) || isRunIn(text, instruction)) return true;
  const numbers = numbersOf(text);
  if (numbers.length > 0) {
    const instructionWords = numberPhrases(instruction);
    if (numbers.some((number) => instructionWords.has(Math.abs(number)))) return true;
  }
  const instructionWords = wordsIn(instruction);
  const dates = new DatePhrases(instruction);
  if (dates.areRelative && isDateOrTime(text)) return true;
  return wordsIn(text).every(
    (word) => instructionWords.some((other) => isSameWord(word, other)) || dates.supports(word) || ADDED.has(word),
  );
}

const COLOR = /^#[0-9a-f]{3,8}$/i;
const COLOR_WORDS =
  /\b(?:colou?r|red|green|blue|yellow|orange|purple|violet|pink|brown|black|white|gr[ae]y|cyan|magenta|turquoise|teal|navy|olive|gold|silver|beige|farbe|rot|grün|blau|gelb|schwarz|weiß|grau|couleur|rouge|vert|bleu|jaune|noir|blanc|color|rojo|verde|azul|amarillo|negro|blanco)\b/i;
/** Parts of a URL that people omit. */
const ADDED: ReadonlySet<string> = new Set(['http', 'https', 'www']);

/** True if the text cannot come from the page. Search text must also share a word with the instruction. */
function isOwnText(text: string, instruction: InstructionText, page: string): boolean {
  return !isIn(text, page) && (asksToSeek(instruction) ? isNamedIn(text, instruction.text) : true);
}

/** True if the name shares a word with the instruction, apart from words such as "the" and "button". */
export function isNamedIn(name: string, instruction: string): boolean {
  const instructionWords = wordsIn(instruction);
  return wordsIn(name).some(
    (word) => !LITTLE_WORDS.has(word) && instructionWords.some((other) => isSameWord(word, other)),
  );
}

const LITTLE_WORDS: ReadonlySet<string> = new Set(
  'a an the of in on at to for from with by and or not no is are was be it its this that your my our you we me all as into onto field box button link'.split(
    ' ',
  ),
);
