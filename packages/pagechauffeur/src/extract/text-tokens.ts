/** Characters per token. Lower than in prose, because page lines have many digits and punctuation characters. */
const CHARACTERS_OF_TOKEN = 3.2;
/** Tokens per UTF-16 code unit from U+2E80 on, such as Chinese, Japanese and Korean characters. */
const TOKENS_OF_IDEOGRAPH = 0.75;
const FIRST_IDEOGRAPH = 0x2e80;

/** Estimates the number of tokens, rather too high than too low. */
export function textTokens(text: string): number {
  let ideographs = 0;
  for (let index = 0; index < text.length; index += 1) if (text.charCodeAt(index) >= FIRST_IDEOGRAPH) ideographs += 1;
  return 1 + (text.length - ideographs) / CHARACTERS_OF_TOKEN + ideographs * TOKENS_OF_IDEOGRAPH;
}
