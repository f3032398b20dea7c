import { PAGE_BOUNDS } from '../page-bounds.ts';

const beyondAscii = /[\u0080-\uffff]/g;

/**
 * A value as JSON text in ASCII. The browser passes text on far faster than objects, and ASCII twice as fast
 * as other text.
 */
export function toWireText(value: unknown, replacer?: (key: string, value: unknown) => unknown): string | undefined {
  return JSON.stringify(value, replacer)?.replace(beyondAscii, escaped);
}

/** The same with every text in it cut off at a bound: a page writes its names and messages as long as it likes. */
export function toBoundedWireText(value: unknown): string | undefined {
  return toWireText(value, boundedEntry);
}

function boundedEntry(_key: string, value: unknown): unknown {
  return typeof value === 'string' && value.length > PAGE_BOUNDS.answerText
    ? `${value.slice(0, PAGE_BOUNDS.answerText)}…`
    : value;
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
