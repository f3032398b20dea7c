import { type Form, FormIndex } from './form-index.ts';
import { isRecord } from './is-record.ts';
import { isPlaceholder, placeholderOf } from './placeholders.ts';
import { unescapedForms } from './unescape-text.ts';
import { PartIndex } from './value-parts.ts';

interface KnownValue {
  name: string;
  readonly value: string;
  /** `%name%` for the latest value of a variable, `%name-2%` and so on for earlier values. */
  placeholder: string;
}

interface TextRange {
  readonly start: number;
  readonly end: number;
}

interface Finding extends TextRange {
  readonly known: KnownValue;
}

/** Shorter values are part of so many words that masking them would make text unreadable. */
const SHORTEST_MASKED = 3;
/** Shorter values match only as whole words. */
const SHORTEST_IN_WORDS = 6;
/** Values with at least this many letters and digits also match with separators between them. */
const SHORTEST_SPACED = 8;
/** Values with at least this many letters and digits match in groups if they are whole words: `482-913`. */
const SHORTEST_GROUPED = 4;
/** Sensitive values with at least this many characters are masked if they fill a whole field or line. */
const SHORTEST_ALONE = 2;
/** Base64 and hex forms of at least this length match inside longer words. */
const SHORTEST_CODE = 5;
const BETWEEN_GROUPS = /^[ \t.,:+|'’\-‐-―·•/_\u00a0\u2009\u202f]{0,3}$/;
/** Joiners, fillers and variation selectors, which pages insert between visible characters. */
const INVISIBLE = /\p{Default_Ignorable_Code_Point}+/gu;
/** At this many characters, the visible part of a truncated value (`secret…`) is masked too. */
const SHORTEST_CUT = 6;
/** Maximum number of characters between two letters of a spaced value. */
const LONGEST_GAP = 8;

/**
 * Replaces variable values with placeholders in everything that leaves the driver: model requests, logs, history and
 * files. Ignores case and spacing, and recognizes escapes (JSON, HTML, URLs), Base64 and hex.
 */
export class ValueMask {
  readonly #knownByValue = new Map<string, KnownValue>();
  readonly #names = new Set<string>();
  /** Compared character by character. */
  readonly #exact = new FormIndex<KnownValue>();
  /** Compared by letters and digits only. */
  readonly #spaced = new FormIndex<KnownValue>();
  /** Encoded values, which may be part of a longer encoded string. */
  readonly #codes = new FormIndex<KnownValue>();
  readonly #parts = new PartIndex<KnownValue>();

  /**
   * Masks a value from now on. A value of 2 characters is masked only if it is sensitive and fills a whole field or
   * line, a shorter value never.
   */
  learn(name: string, value: string, { isSensitive = false } = {}): void {
    this.#names.add(name);
    if (value.trim().length < (isSensitive ? SHORTEST_ALONE : SHORTEST_MASKED)) return;
    const known = this.#knownByValue.get(value) ?? { name, value, placeholder: '' };
    if (known.placeholder === placeholderOf(name)) return;
    const isNew = !this.#knownByValue.delete(value);
    const formerName = known.name;
    known.name = name;
    this.#knownByValue.set(value, known);
    for (const changed of new Set([name, formerName])) this.#namePlaceholders(changed);
    if (isNew) this.#index(known);
  }

  get isEmpty(): boolean {
    return this.#knownByValue.size === 0;
  }

  get values(): readonly string[] {
    return [...this.#knownByValue.keys()];
  }

  /** Replaces values with placeholders. Skips the values in `except`, which the reader already has. */
  mask(text: string, except: ReadonlySet<string> = NOTHING, onFound?: (known: Found) => void): string {
    if (this.isEmpty || text.length < SHORTEST_ALONE) return text;
    let masked = '';
    let end = 0;
    for (const finding of this.#findings(text)) {
      const { value, placeholder } = finding.known;
      // If a value looks like the placeholder of a variable, replacing it would rename that variable.
      if (finding.start < end || except.has(value) || isPlaceholder(value, this.#names)) continue;
      masked += text.slice(end, finding.start) + placeholder;
      end = finding.end;
      onFound?.({ value, placeholder });
    }
    return end === 0 ? text : masked + text.slice(end);
  }

  rangesIn(text: string): readonly TextRange[] {
    const ranges: { start: number; end: number }[] = [];
    if (this.isEmpty) return ranges;
    for (const { start, end } of this.#findings(text)) {
      const last = ranges.at(-1);
      if (last && start < last.end) last.end = Math.max(last.end, end);
      else ranges.push({ start, end });
    }
    return ranges;
  }

  /**
   * Masks every string in JSON data, and values that are split over several strings. Returns the same object if no
   * value is known.
   */
  maskData(data: unknown, except: ReadonlySet<string> = NOTHING): unknown {
    if (this.isEmpty) return data;
    const texts: string[] = [];
    mapTexts(data, (text) => {
      texts.push(text);
      return text;
    });
    const placeholders = this.#placeholdersOfParts(texts, except);
    let index = -1;
    return mapTexts(data, (text) => {
      index += 1;
      return placeholders.get(index) ?? this.mask(text, except);
    });
  }

  /** Returns placeholders for strings that together form a value, by index of the string. */
  #placeholdersOfParts(texts: readonly string[], except: ReadonlySet<string>): ReadonlyMap<number, string> {
    const lines = texts.map((text) => `- ${text.replaceAll('\n', ' ')}`);
    const indexByStart = new Map<number, number>();
    let start = 0;
    for (const [index, line] of lines.entries()) {
      indexByStart.set(start + 2, index);
      start += line.length + 1;
    }
    const placeholders = new Map<number, string>();
    for (const { start: at, end, owner } of this.#parts.findings(folded(lines.join('\n')), bareWords)) {
      const index = indexByStart.get(at);
      const isKept = except.has(owner.value) || isPlaceholder(owner.value, this.#names);
      if (index !== undefined && texts[index]?.length === end - at && !isKept)
        placeholders.set(index, owner.placeholder);
    }
    return placeholders;
  }

  valuesIn(text: string): ReadonlySet<string> {
    const values = new Set<string>();
    this.mask(text, NOTHING, ({ value }) => void values.add(value));
    return values;
  }

  /** The latest value gets the plain placeholder, so that the variables of the current call keep their names. */
  #namePlaceholders(name: string): void {
    const values = [...this.#knownByValue.values()].filter((known) => known.name === name).toReversed();
    for (const [index, known] of values.entries())
      known.placeholder = placeholderOf(index === 0 ? name : `${name}-${index + 1}`);
  }

  #index(owner: KnownValue): void {
    for (const form of formsOf(owner.value)) {
      const bare = bareWords(folded(form));
      if (bare.length >= SHORTEST_SPACED) this.#spaced.add({ text: bare, owner });
      this.#exact.add({ text: folded(form), owner });
    }
    for (const code of codesOf(owner.value)) this.#codes.add({ text: folded(code), owner });
    const bare = bareWords(folded(owner.value));
    if (bare.length >= SHORTEST_GROUPED && bare.length < SHORTEST_SPACED) this.#spaced.add({ text: bare, owner });
    const hex = Buffer.from(owner.value).toString('hex');
    if (hex.length >= SHORTEST_SPACED) this.#spaced.add({ text: hex, owner });
    const isShort = owner.value.trim().length < SHORTEST_MASKED;
    if (bare.length >= SHORTEST_ALONE) this.#parts.add(bare, owner, { isShort });
  }

  #findings(text: string): Finding[] {
    const parts = this.#parts.findings(folded(text), bareWords);
    const escaped = unescapedForms(text).flatMap(({ text: form, starts, ends }) =>
      this.#wholeFindings(form).map(({ start, end, known }) => {
        return { start: starts[start] ?? 0, end: ends[end - 1] ?? 0, known };
      }),
    );
    return [
      ...this.#wholeFindings(text),
      ...escaped,
      ...parts.map(({ start, end, owner }) => ({ start, end, known: owner })),
    ].toSorted((a, b) => a.start - b.start || b.end - a.end);
  }

  #wholeFindings(text: string): Finding[] {
    const lower = folded(text);
    return [...this.#exactFindings(lower), ...this.#spacedFindings(text, lower), ...this.#codeFindings(lower)];
  }

  *#codeFindings(lower: string): Generator<Finding> {
    if (this.#codes.isEmpty) return;
    for (let index = 0; index <= lower.length - SHORTEST_CODE; index += 1) {
      const form = this.#codes.candidatesAt(lower, index).find(({ text: code }) => lower.startsWith(code, index));
      if (!form) continue;
      // Base64 characters next to the match contain some bits of the value.
      const start = isCodeCharacter(lower, index - 1) ? index - 1 : index;
      const end = index + form.text.length;
      yield { start, end: isCodeCharacter(lower, end) ? end + 1 : end, known: form.owner };
    }
  }

  *#exactFindings(lower: string): Generator<Finding> {
    if (this.#exact.isEmpty) return;
    for (let index = 0; index <= lower.length - SHORTEST_MASKED; index += 1) {
      const form = this.#exact
        .candidatesAt(lower, index)
        .find((candidate) => lower.startsWith(candidate.text, index) && isWhole(candidate.text, lower, index));
      if (form) yield { start: index, end: index + form.text.length, known: form.owner };
    }
  }

  *#spacedFindings(text: string, lower: string): Generator<Finding> {
    const bare = bareText(this.#spaced.isEmpty ? '' : lower);
    for (let index = 0; index <= bare.text.length - SHORTEST_GROUPED; index += 1) {
      for (const form of this.#spaced.candidatesAt(bare.text, index)) {
        const length = matchLength(form, { text, bare, index });
        if (length > 0) yield findingAt(form, { text, bare, index, length });
      }
    }
  }
}

interface Found {
  readonly value: string;
  readonly placeholder: string;
}

const NOTHING: ReadonlySet<string> = new Set();

/**
 * Calls `change` for every string in JSON data, except element XPaths. Numbers are passed as strings and stay numbers
 * if `change` returns them unchanged.
 */
export function mapTexts(data: unknown, change: (text: string) => unknown, depth = 0): unknown {
  if (typeof data === 'string') return data.startsWith('xpath=/') ? data : change(data);
  if (typeof data === 'number') return changedNumber(data, change);
  if (depth > DEEPEST_DATA) return data;
  if (Array.isArray(data)) return data.map((item) => mapTexts(item, change, depth + 1));
  if (!isRecord(data) || Object.getPrototypeOf(data) !== Object.prototype) return data;
  return Object.fromEntries(Object.entries(data).map(([key, value]) => [key, mapTexts(value, change, depth + 1)]));
}

function changedNumber(data: number, change: (text: string) => unknown): unknown {
  const text = String(data);
  const changed = text.length < SHORTEST_NUMBER ? text : change(text);
  return changed === text ? data : changed;
}

/** Shorter numbers are usually counts. */
const SHORTEST_NUMBER = 4;

/** Guards against cycles. */
const DEEPEST_DATA = 100;

/**
 * Returns the spellings of a value on pages, in URLs and in files. Escaped spellings are not needed, because text is
 * unescaped before the search.
 */
function formsOf(value: string): ReadonlySet<string> {
  const composed = value.normalize('NFC');
  const asParameter = new URLSearchParams([['', value]]).toString().slice(1);
  const bytes = Buffer.from(value);
  const base64 = [bytes.toString('base64').replace(/=+$/, ''), bytes.toString('base64url')];
  const spaced = [composed.trim().replace(/\s+/g, ' '), composed.replace(/\s/g, '+')];
  const forms = [value, composed, ...spaced, asParameter, ...base64];
  // Pages can show reversed text with a right-to-left override.
  if (value.length >= SHORTEST_IN_WORDS) forms.push([...value].toReversed().join(''));
  return new Set(forms.filter((form) => form.length >= SHORTEST_MASKED));
}

/** Returns the hex form and the Base64 forms for each byte offset, as in an encoded `user:password`. */
function codesOf(value: string): ReadonlySet<string> {
  const bytes = Buffer.from(value);
  const cores = [0, 1, 2].flatMap((before) => {
    const text = Buffer.concat([Buffer.alloc(before), bytes]).toString('base64');
    const core = text.slice(Math.ceil((before * 8) / 6), Math.floor(((before + bytes.length) * 8) / 6));
    return [core, core.replaceAll('+', '-').replaceAll('/', '_')];
  });
  const hex = bytes.toString('hex');
  return new Set([...cores, hex].filter((code) => code.length >= SHORTEST_CODE));
}

function isCodeCharacter(text: string, index: number): boolean {
  return index >= 0 && /[a-z\d+/_-]/.test(text.charAt(index));
}

/** Superscript, subscript, circled and full-width letters and digits. */
const OTHER_FORMS = /[\u2070-\u209c\u2460-\u24ea\uff01-\uff5e]/g;

/**
 * Lower-cases text and replaces letter variants with plain letters. Preserves the length, so that positions stay valid.
 */
function folded(given: string): string {
  const text = given.replace(OTHER_FORMS, plainForm).replace(INVISIBLE, blankOf);
  const lower = text.toLowerCase();
  return lower.length === text.length ? lower : [...text].map(foldedCharacter).join('');
}

/** Replaces invisible characters with zero-width spaces, which are not word characters. Keeps the length. */
function blankOf(characters: string): string {
  return '\u200b'.repeat(characters.length);
}

function plainForm(character: string): string {
  const plain = character.normalize('NFKC');
  return plain.length === character.length ? plain : character;
}

function foldedCharacter(character: string): string {
  const lower = character.toLowerCase();
  return lower.length === character.length ? lower : character;
}

/** The letters and digits of a string in lower case, with their original positions. */
interface BareText {
  readonly text: string;
  readonly places: Int32Array;
}

function bareText(lower: string): BareText {
  const codes = new Uint16Array(lower.length);
  const places = new Int32Array(lower.length);
  let length = 0;
  for (let index = 0; index < lower.length; index += 1) {
    const code = lower.charCodeAt(index);
    if (!isWordCode(code)) continue;
    codes[length] = code;
    places[length] = index;
    length += 1;
  }
  return { text: textOfCodes(codes.subarray(0, length)), places };
}

function bareWords(lower: string): string {
  let bare = '';
  for (let index = 0; index < lower.length; index += 1)
    if (isWordCode(lower.charCodeAt(index))) bare += lower.charAt(index);
  return bare;
}

function textOfCodes(codes: Uint16Array): string {
  return Buffer.from(codes.buffer, codes.byteOffset, codes.byteLength).toString('utf16le');
}

/** True for letters and digits. Above U+00BF, everything except spaces and punctuation counts. */
function isWordCode(code: number): boolean {
  if (code < 0x80) return (code >= 0x61 && code <= 0x7a) || (code >= 0x30 && code <= 0x39);
  return code > 0xbf && !(code >= 0x2000 && code <= 0x206f) && !(code >= 0x3000 && code <= 0x303f);
}

/** True for a long form anywhere in a word, and for a short one that is a whole word. */
function isWhole(form: string, text: string, index: number): boolean {
  if (form.length >= SHORTEST_IN_WORDS) return true;
  return !isWordAt(text, index - 1) && !isWordAt(text, index + form.length);
}

function isWordAt(text: string, index: number): boolean {
  return index >= 0 && index < text.length && isWordCode(text.charCodeAt(index));
}

interface CodePosition {
  readonly text: string;
  readonly bare: BareText;
  readonly index: number;
}

/** Returns the number of matching letters and digits: all of them, or those before an ellipsis. 0 if the form does not match. */
function matchLength({ text: form }: Form<KnownValue>, { text, bare, index }: CodePosition): number {
  let length = 0;
  while (length < form.length && bare.text.charCodeAt(index + length) === form.charCodeAt(length)) {
    if (length > 0 && gapAt(bare, index + length) > LONGEST_GAP) break;
    length += 1;
  }
  if (length === form.length)
    return form.length >= SHORTEST_SPACED || isGrouped({ text, bare, index }, length) ? length : 0;
  const next = text.charAt((bare.places[index + length - 1] ?? 0) + 1);
  return length >= SHORTEST_CUT && next === '…' ? length : 0;
}

/** True if a short value is a whole word whose groups have common separators. */
function isGrouped({ text, bare: { places }, index }: CodePosition, length: number): boolean {
  const [start = 0, last = 0] = [places[index], places[index + length - 1]];
  if (isWordAt(text, start - 1) || isWordAt(text, last + 1)) return false;
  for (let at = index + 1; at < index + length; at += 1)
    if (!BETWEEN_GROUPS.test(text.slice((places[at - 1] ?? 0) + 1, places[at] ?? 0).replace(INVISIBLE, '')))
      return false;
  return true;
}

function gapAt({ places }: BareText, index: number): number {
  return (places[index] ?? 0) - (places[index - 1] ?? 0) - 1;
}

/** Extends the match by the value's leading and trailing punctuation if it is present. */
function findingAt(
  { owner }: Form<KnownValue>,
  { text, bare, index, length }: CodePosition & { length: number },
): Finding {
  let start = bare.places[index] ?? 0;
  let end = (bare.places[index + length - 1] ?? 0) + 1;
  const [before = ''] = /^[^\p{L}\p{N}]*/u.exec(owner.value) ?? [];
  const [after = ''] = /[^\p{L}\p{N}]*$/u.exec(owner.value) ?? [];
  if (before !== '' && text.slice(0, start).endsWith(before)) start -= before.length;
  if (after !== '' && text.startsWith(after, end)) end += after.length;
  return { start, end, known: owner };
}
