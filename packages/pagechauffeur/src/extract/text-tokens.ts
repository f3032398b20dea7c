/** Characters of a token in the lines of a page, where letters, digits and signs stand close together. */
const CHARACTERS_OF_TOKEN = 3.2;
/** Tokens of a character of a script without spaces between words. */
const TOKENS_OF_IDEOGRAPH = 0.75;
const FIRST_IDEOGRAPH = 0x2e80;

/** About how many tokens a text has; above the true number rather than below. */
export function textTokens(text: string): number {
  let ideographs = 0;
  for (let index = 0; index < text.length; index += 1) if (text.charCodeAt(index) >= FIRST_IDEOGRAPH) ideographs += 1;
  return 1 + (text.length - ideographs) / CHARACTERS_OF_TOKEN + ideographs * TOKENS_OF_IDEOGRAPH;
}
