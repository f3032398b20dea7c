const LETTERS = 1;
const DIGITS = 2;
const SPACE = 3;
const PUNCTUATION = 4;
const OTHER_ALPHABET = 5;
const IDEOGRAPHS = 6;
const LINE_BREAK = 7;

/**
 * Estimates the number of tokens in the o200k_base encoding. The estimate is less accurate for non-Latin scripts.
 */
export function tokensIn(text: string): number {
  let tokens = 0;
  let before = SPACE;
  const { length } = text;
  for (let index = 0; index < length;) {
    const kind = kindOf(text.charCodeAt(index));
    const start = index;
    do index += 1;
    while (index < length && kindOf(text.charCodeAt(index)) === kind);
    tokens += tokensOfRun(kind, index - start, before === SPACE || before === LINE_BREAK);
    before = kind;
  }
  return tokens;
}

// A short word and the space before it are one token. Three digits are one token without the space.
function tokensOfRun(kind: number, length: number, isAfterSpace: boolean): number {
  switch (kind) {
    case LETTERS:
      return length <= 7 ? 1 : 1 + (length - 7) * 0.15;
    case DIGITS:
      return Math.ceil(length / 3) + (isAfterSpace ? 1 : 0);
    case SPACE:
      return length > 1 ? 0.8 : 0;
    case LINE_BREAK:
      // The line break, often a part of the punctuation before it, and the tab of the next line.
      return 1.7;
    case PUNCTUATION:
      return 0.7 + length * 0.3;
    case OTHER_ALPHABET:
      return length * 0.3;
    default:
      return length * 0.75;
  }
}

function kindOf(code: number): number {
  if (code < 128) return ASCII_KINDS[code] ?? PUNCTUATION;
  if (code >= 0xc0 && code <= 0x24f) return LETTERS;
  return code < 0x2e80 ? OTHER_ALPHABET : IDEOGRAPHS;
}

const ASCII_KINDS = new Uint8Array(128).map((_, code) => {
  if ((code >= 97 && code <= 122) || (code >= 65 && code <= 90)) return LETTERS;
  if (code >= 48 && code <= 57) return DIGITS;
  return code === 32 ? SPACE : code === 10 ? LINE_BREAK : PUNCTUATION;
});
