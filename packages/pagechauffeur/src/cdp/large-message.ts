import { PAGE_BOUNDS } from '../page-bounds.ts';
import { Bounds, cutText, isEventCut } from './bounded-event.ts';

/** A parsed message. */
export interface LargeMessage {
  readonly message: unknown;
  /** True if its long strings are cut already. */
  readonly isCut: boolean;
}

/** The first property of a message: Chromium puts the id of a reply and the method of an event first. */
const START = /^\s*\{\s*"(?:id"\s*:\s*(\d+)|method"\s*:\s*"([\w.]+)")/;
const LONGEST_START = 200;

/**
 * Parses a message of megabytes. If its long strings are to be cut, cuts them in the bytes: a page can send texts of any length, and
 * decoding them first would take several times their memory.
 */
export function parseLargeMessage(bytes: Buffer, isReplyCut: (id: number) => boolean): LargeMessage {
  const [, id, method = ''] = START.exec(bytes.toString('latin1', 0, LONGEST_START)) ?? [];
  const isCut = id === undefined ? method !== '' && isEventCut(method) : isReplyCut(Number(id));
  // The nesting level of the message itself, one above the properties with a bound.
  return { message: isCut ? new BoundedReader(bytes).value('', -1) : JSON.parse(String(bytes)), isCut };
}

const [QUOTE, COMMA, COLON, BACKSLASH] = [0x22, 0x2c, 0x3a, 0x5c];
const [OPEN_LIST, CLOSE_LIST, OPEN_RECORD, CLOSE_RECORD] = [0x5b, 0x5d, 0x7b, 0x7d];
const LETTER_U = 0x75;
/** Keys with this many characters are omitted. */
const MOST_OF_KEY = PAGE_BOUNDS.name + 1;

/** Reads JSON and applies the bounds of {@link boundedEvent} on the way. */
class BoundedReader {
  readonly #bytes: Buffer;
  readonly #bounds = new Bounds();
  #at = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  /** Reads the next value. `property` determines the maximum length of a string. */
  value(property: string, depth: number): unknown {
    const sign = this.#next();
    if (sign === QUOTE) return this.#string(property, depth);
    if (sign !== OPEN_RECORD && sign !== OPEN_LIST) return this.#literal();
    if (depth >= PAGE_BOUNDS.depth) return this.#skip();
    this.#at += 1;
    return sign === OPEN_LIST ? this.#list(property, depth) : this.#record(depth);
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
      const isKept = count < PAGE_BOUNDS.entries && this.#count(start, end, MOST_OF_KEY).characters < MOST_OF_KEY;
      const key = isKept ? this.#text(start, end) : '';
      if (isKept) entries.push([key, this.value(key, depth + 1)]);
      else this.#skip();
    }
    return Object.fromEntries(entries);
  }

  #string(property: string, depth: number): string {
    const [start, end] = this.#range();
    // The browser, not the page, chose the session id.
    if (depth === 0) return this.#text(start, end);
    const { at: cut, characters } = this.#count(start, end, this.#bounds.of(property));
    const { characters: missing } = this.#count(cut, end);
    const text = this.#text(start, cut);
    this.#bounds.spend(characters);
    return missing === 0 ? text : cutText({ property, start: text, missing, whole: () => this.#text(start, end) });
  }

  /** Decodes the characters between two positions. */
  #text(start: number, end: number): string {
    const text = this.#bytes.toString('utf8', start, end);
    return text.includes('\\') ? (JSON.parse(`"${text}"`) as string) : text;
  }

  /** Counts characters like JavaScript, up to a limit. Returns the position after the last one. */
  #count(start: number, end: number, most: number = Infinity): { characters: number; at: number } {
    const bytes = this.#bytes;
    let characters = 0;
    let at = start;
    while (at < end && characters < most) {
      const byte = bytes[at] ?? 0;
      if (byte === BACKSLASH) at += bytes[at + 1] === LETTER_U ? 6 : 2;
      else at += byte < 0x80 ? 1 : byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : 4;
      characters += byte >= 0xf0 ? 2 : 1;
    }
    return { characters, at };
  }

  /** Skips a string. Returns the positions of its first character and its end. */
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

  /** Reads a number, `true`, `false` or `null`. */
  #literal(): unknown {
    const [literal = ''] = /^[\w+.-]*/.exec(this.#bytes.toString('latin1', this.#at, this.#at + LONGEST_LITERAL)) ?? [];
    this.#at += literal.length;
    return JSON.parse(literal);
  }

  /** Skips a value of any depth. */
  #skip(): undefined {
    let depth = 0;
    do {
      const sign = this.#next();
      if (sign === QUOTE) this.#range();
      else {
        if (sign === OPEN_LIST || sign === OPEN_RECORD) depth += 1;
        else if (sign === CLOSE_LIST || sign === CLOSE_RECORD) depth -= 1;
        else if (sign !== COMMA && sign !== COLON) this.#literal();
        if (SIGNS.has(sign)) this.#at += 1;
      }
    } while (depth > 0);
  }

  /** Skips the comma before another entry, or the end of a list or record. */
  #isAtEnd(close: number): boolean {
    const sign = this.#next();
    if (sign === COMMA || sign === close) this.#at += 1;
    return sign === close;
  }

  #expect(sign: number): void {
    if (this.#next() !== sign) throw new SyntaxError(`malformed message from the browser at byte ${this.#at}`);
    this.#at += 1;
  }

  /** Returns the next byte that is not white space. */
  #next(): number {
    let byte = this.#bytes[this.#at];
    while (byte !== undefined && byte <= 0x20) byte = this.#bytes[(this.#at += 1)];
    if (byte === undefined) throw new SyntaxError('truncated message from the browser');
    return byte;
  }
}

const SIGNS: ReadonlySet<number> = new Set([COMMA, COLON, OPEN_LIST, CLOSE_LIST, OPEN_RECORD, CLOSE_RECORD]);
/** More characters than any number has. */
const LONGEST_LITERAL = 40;
