const beyondAscii = /[\u0080-\uffff]/g;

/**
 * A value as JSON text in ASCII. The browser passes text on far faster than objects, and ASCII twice as fast
 * as other text.
 */
export function toWireText(value: unknown): string | undefined {
  return JSON.stringify(value)?.replace(beyondAscii, escaped);
}

const escapeByCharacter = new Map<string, string>();

// A page repeats the few characters that it uses, such as a currency's sign.
function escaped(character: string): string {
  const known = escapeByCharacter.get(character);
  if (known !== undefined) return known;
  const escape = `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  escapeByCharacter.set(character, escape);
  return escape;
}
