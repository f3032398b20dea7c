import { PAGE_BOUNDS } from '../page-bounds.ts';
import { Bounds, cutText, isEventCut } from './bounded-event.ts';

export interface LargeMessage {
  readonly message: unknown;
  /** True if long strings were cut while parsing. */
  readonly isCut: boolean;
}

/** Chromium puts the id of a reply, or the method of an event, first. */
const START = /^\s*\{\s*"(?:id"\s*:\s*(\d+)|method"\s*:\s*"([\w.]+)")/;
const MAX_START_LENGTH = 200;

/**
 * Parses a message of more than 1 MB. Strings over their bound are cut in the bytes, because decoding them first would
 * take several times their memory, and a page can make them arbitrarily long.
 */
export function parseLargeMessage(bytes: Buffer, isReplyCut: (id: number) => boolean): LargeMessage {
  const [, id, method = ''] = START.exec(bytes.toString('latin1', 0, MAX_START_LENGTH)) ?? [];
  const isCut = id === undefined ? method !== '' && isEventCut(method) : isReplyCut(Number(id));
  // -1 is the level of the message, 0 that of `params` or `result`.
  return { message: isCut ? new BoundedReader(bytes).value('', -1) : JSON.parse(String(bytes)), isCut };
}

const [QUOTE, COMMA, COLON, BACKSLASH] = [0x22, 0x2c, 0x3a, 0x5c];
const [OPEN_LIST, CLOSE_LIST, OPEN_RECORD, CLOSE_RECORD] = [0x5b, 0x5d, 0x7b, 0x7d];
const LETTER_U = 0x75;
/** Keys of this length or more are omitted. */
const OMITTED_KEY_LENGTH = PAGE_BOUNDS.name + 1;

/** A JSON parser that applies the bounds of {@link boundedEvent} while reading. */
class BoundedReader {
  readonly #bytes: Buffer;
  readonly #bounds = new Bounds();
  #at = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  /** `property` determines the maximum length of a string. */
  value(property: string, depth: number): unknown {
    const byte = this.#next();
    if (byte === QUOTE) return this.#string(property, depth);
    if (byte !== OPEN_RECORD && byte !== OPEN_LIST) return this.#literal();
    if (depth >= PAGE_BOUNDS.depth) return this.#skip();
    this.#at += 1;
    return byte === OPEN_LIST ? this.#list(property, depth) : this.#record(depth);
  }

  #list(property: string, depth: number): unknown[] {
    const list: unknown[] = [];
    while (!this.#isAtEnd(CLOSE_LIST)) {
      if (list.length < PAGE_BOUNDS.entries) list.push(this.value(property, depth + 1));
      else this.#skip();
    }
    return list;
  }

  #record(depth: number): object {
    const entries: [string, unknown][] = [];
    for (let count = 0; !this.#isAtEnd(CLOSE_RECORD); count += 1) {
      const [start, end] = this.#range();
      this.#expect(COLON);
      const isKept =
        count < PAGE_BOUNDS.entries && this.#count(start, end, OMITTED_KEY_LENGTH).characters < OMITTED_KEY_LENGTH;
      const key = isKept ? this.#text(start, end) : '';
      if (isKept) entries.push([key, this.value(key, depth + 1)]);
      else this.#skip();
    }
    return Object.fromEntries(entries);
  }

  #string(property: string, depth: number): string {
    const [start, end] = this.#range();
    // Only the method and the session id are strings at this level. The browser chose them, not the page.
    if (depth === 0) return this.#text(start, end);
    const { at: cut, characters } = this.#count(start, end, this.#bounds.of(property));
    const { characters: missing } = this.#count(cut, end);
    const text = this.#text(start, cut);
    this.#bounds.spend(characters);
    return missing === 0 ? text : cutText({ property, start: text, missing, whole: () => this.#text(start, end) });
  }

  #text(start: number, end: number): string {
    const text = this.#bytes.toString('utf8', start, end);
    return text.includes('\\') ? (JSON.parse(`"${text}"`) as string) : text;
  }

  /** Counts UTF-16 code units from `start`, at most `max`. `at` is the position after the last one. */
  #count(start: number, end: number, max: number = Infinity): { characters: number; at: number } {
    const bytes = this.#bytes;
    let characters = 0;
    let at = start;
    while (at < end && characters < max) {
      const byte = bytes[at] ?? 0;
      if (byte === BACKSLASH) at += bytes[at + 1] === LETTER_U ? 6 : 2;
      else at += byte < 0x80 ? 1 : byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : 4;
      characters += byte >= 0xf0 ? 2 : 1;
    }
    return { characters, at };
  }

  /** Skips a string. Returns where its content starts and ends. */
  #range(): readonly [start: number, end: number] {
    this.#expect(QUOTE);
    const start = this.#at;
    for (let end = this.#bytes.indexOf(QUOTE, start); end !== -1; end = this.#bytes.indexOf(QUOTE, end + 1)) {
      if (this.#isEscaped(end, start)) continue;
      this.#at = end + 1;
      return [start, end];
    }
    throw new SyntaxError('unterminated string in a message from the browser');
  }

  #isEscaped(at: number, start: number): boolean {
    let first = at;
    while (first > start && this.#bytes[first - 1] === BACKSLASH) first -= 1;
    return (at - first) % 2 === 1;
  }

  #literal(): unknown {
    const [literal = ''] =
      /^[\w+.-]*/.exec(this.#bytes.toString('latin1', this.#at, this.#at + MAX_LITERAL_LENGTH)) ?? [];
    this.#at += literal.length;
    return JSON.parse(literal);
  }

  #skip(): undefined {
    let depth = 0;
    do {
      const byte = this.#next();
      if (byte === QUOTE) this.#range();
      else {
        if (byte === OPEN_LIST || byte === OPEN_RECORD) depth += 1;
        else if (byte === CLOSE_LIST || byte === CLOSE_RECORD) depth -= 1;
        else if (byte !== COMMA && byte !== COLON) this.#literal();
        if (PUNCTUATION.has(byte)) this.#at += 1;
      }
    } while (depth > 0);
  }

  /** Skips a comma or the closing bracket. Returns true for the bracket. */
  #isAtEnd(close: number): boolean {
    const byte = this.#next();
    if (byte === COMMA || byte === close) this.#at += 1;
    return byte === close;
  }

  #expect(byte: number): void {
    if (this.#next() !== byte) throw new SyntaxError(`malformed message from the browser at byte ${this.#at}`);
    this.#at += 1;
  }

  #next(): number {
    let byte = this.#bytes[this.#at];
    while (byte !== undefined && byte <= 0x20) byte = this.#bytes[(this.#at += 1)];
    if (byte === undefined) throw new SyntaxError('truncated message from the browser');
    return byte;
  }
}

const PUNCTUATION: ReadonlySet<number> = new Set([COMMA, COLON, OPEN_LIST, CLOSE_LIST, OPEN_RECORD, CLOSE_RECORD]);
/** Longer than any number that Chromium sends. */
const MAX_LITERAL_LENGTH = 40;
