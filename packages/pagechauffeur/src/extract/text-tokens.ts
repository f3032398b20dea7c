/** Characters per token in page lines, where letters, digits and signs are dense. */
const CHARACTERS_OF_TOKEN = 3.2;
/** Tokens per character in scripts without spaces. */
const TOKENS_OF_IDEOGRAPH = 0.75;
const FIRST_IDEOGRAPH = 0x2e80;

/** Estimates the number of tokens, rather too high than too low. */
export function textTokens(text: string): number {
  let ideographs = 0;
  for (let index = 0; index < text.length; index += 1) if (text.charCodeAt(index) >= FIRST_IDEOGRAPH) ideographs += 1;
  return 1 + (text.length - ideographs) / CHARACTERS_OF_TOKEN + ideographs * TOKENS_OF_IDEOGRAPH;
}
