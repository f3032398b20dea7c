/** Long strings of an answer, by key. */
export type LongTexts = ReadonlyMap<string, string>;

interface Decoded {
  readonly value: unknown;
  readonly texts: LongTexts;
}

const NO_TEXTS: LongTexts = new Map();

/**
 * Decodes an answer that `injected/wire-text.ts` encoded.
 *
 * @param held The long strings of the answer that this one was encoded against.
 */
export function decodeWireText(text: string, held: LongTexts = NO_TEXTS): Decoded {
  const end = text.indexOf('\n');
  if (end < 0) return { value: JSON.parse(text), texts: NO_TEXTS };
  const value = JSON.parse(text.slice(0, end)) as Record<string, unknown>;
  const texts = new Map<string, string>();
  for (let at = end + 1; at < text.length;) {
    const start = text.indexOf('\n', at) + 1;
    const [key = '', length, equalAtStart = 0, equalAtEnd = 0] = text.slice(at, start).split(' ');
    at = start + Number(length);
    const before = held.get(key) ?? '';
    const whole =
      before.slice(0, Number(equalAtStart)) +
      unescaped(text.slice(start, at)) +
      before.slice(before.length - Number(equalAtEnd));
    texts.set(key, whole);
    value[key] = whole;
  }
  return { value, texts };
}

function unescaped(text: string): string {
  if (!text.includes('\\')) return text;
  return text.replace(/\\u(....)/g, (_escape, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
}
