import { type Form, FormIndex } from './form-index.ts';
import { isRecord } from './is-record.ts';
import { isPlaceholder, placeholderOf } from './placeholders.ts';
import { PartIndex } from './value-parts.ts';

/** A value that must not be seen, and the placeholder that stands for it. */
interface KnownValue {
  name: string;
  readonly value: string;
  /** `%name%` for the latest value of a name, `%name-2%` and so on for those before. */
  placeholder: string;
}

/** A place in a text that shows a value. */
interface Finding {
  readonly start: number;
  readonly end: number;
  readonly known: KnownValue;
}

/** Shorter values are in so many words that masking them would make every text unreadable. */
const SHORTEST_MASKED = 3;
/** Shorter values count only where they stand as a word of their own. */
const SHORTEST_IN_WORDS = 6;
/** Values with so many letters and digits are found besides however they are spaced, hyphenated and escaped. */
const SHORTEST_SPACED = 8;
/** Those with so many at least, when they stand as a word of their own in groups: `482-913`. */
const SHORTEST_GROUPED = 4;
/** Sensitive ones of so many are masked where they stand alone, in a field or a line of their own. */
const SHORTEST_ALONE = 2;
/** Codes of a value, as in Base64, that are this long are found anywhere. */
const SHORTEST_CODE = 5;
/** What stands between the groups of a short value. */
const BETWEEN_GROUPS = /^[ \t.,:+|'’\-‐-―·•/_\u00a0\u2009\u202f]{0,3}$/;
/** Characters of a value's beginning that give it away where a text is cut off in its midst. */
const SHORTEST_CUT = 12;
/** Characters at most between two letters of a spaced value. */
const LONGEST_GAP = 8;

/**
 * The values of variables that a driver was given. Whatever leaves the driver for a model, a log, a history or a file
 * passes here and has placeholders in their place: in plain, in other case and spacing, and as JSON, HTML, addresses and
 * Base64 write them. What is given in is not kept.
 */
export class ValueMask {
  readonly #knownByValue = new Map<string, KnownValue>();
  readonly #names = new Set<string>();
  /** Forms that are compared character by character. */
  readonly #exact = new FormIndex<KnownValue>();
  /** Forms that are compared by letters and digits only. */
  readonly #spaced = new FormIndex<KnownValue>();
  /** Codes of values, found within longer codes too. */
  readonly #codes = new FormIndex<KnownValue>();
  readonly #parts = new PartIndex<KnownValue>();

  /** Keeps a value out of all texts from now on; a sensitive one also when it is so short that only where it stands tells it. */
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

  /** Whether no value is known. */
  get isEmpty(): boolean {
    return this.#knownByValue.size === 0;
  }

  /** The text with placeholders in place of values, but for those in `except`, which whoever is told the text knows. */
  mask(text: string, except: ReadonlySet<string> = NOTHING, onFound?: (known: Found) => void): string {
    if (this.isEmpty || text.length < SHORTEST_ALONE) return text;
    let masked = '';
    let end = 0;
    for (const finding of this.#findings(text)) {
      const { value, placeholder } = finding.known;
      // Of a value that reads like the placeholder of a variable nobody can tell the two apart, and hiding it would rename the variable.
      if (finding.start < end || except.has(value) || isPlaceholder(value, this.#names)) continue;
      masked += text.slice(end, finding.start) + placeholder;
      end = finding.end;
      onFound?.({ value, placeholder });
    }
    return end === 0 ? text : masked + text.slice(end);
  }

  /** JSON data with every text in it masked; the same data when no value is known. */
  maskData(data: unknown, except: ReadonlySet<string> = NOTHING): unknown {
    return this.isEmpty ? data : mapTexts(data, (text) => this.mask(text, except));
  }

  /** The values that a text shows. */
  valuesIn(text: string): ReadonlySet<string> {
    const values = new Set<string>();
    this.mask(text, NOTHING, ({ value }) => void values.add(value));
    return values;
  }

  /** The latest value of a name has its plain placeholder, so that a call's own variables are called as the call does. */
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
    const isShort = owner.value.trim().length < SHORTEST_MASKED;
    if (bare.length >= SHORTEST_ALONE) this.#parts.add(bare, owner, { isShort });
  }

  #findings(text: string): Finding[] {
    const lower = folded(text);
    const parts = this.#parts.findings(lower, bareWords);
    return [
      ...this.#exactFindings(lower),
      ...this.#spacedFindings(text, lower),
      ...this.#codeFindings(lower),
      ...parts.map(({ start, end, owner }) => ({ start, end, known: owner })),
    ].toSorted((a, b) => a.start - b.start || b.end - a.end);
  }

  *#codeFindings(lower: string): Generator<Finding> {
    if (this.#codes.isEmpty) return;
    for (let index = 0; index <= lower.length - SHORTEST_CODE; index += 1) {
      const form = this.#codes.candidatesAt(lower, index).find(({ text: code }) => lower.startsWith(code, index));
      if (!form) continue;
      // The signs beside it hold some of its bits.
      const start = isCodeSign(lower, index - 1) ? index - 1 : index;
      const end = index + form.text.length;
      yield { start, end: isCodeSign(lower, end) ? end + 1 : end, known: form.owner };
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

/** A value that was found in a text, and what stands there now. */
interface Found {
  readonly value: string;
  readonly placeholder: string;
}

const NOTHING: ReadonlySet<string> = new Set();

/** JSON data with each text in it changed, and numbers as texts where that changes them; paths to elements stay. */
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

/** Shorter numbers count something. */
const SHORTEST_NUMBER = 4;

/** What is nested deeper goes round in a circle. */
const DEEPEST_DATA = 100;

/** As pages, addresses and files write a value. */
function formsOf(value: string): ReadonlySet<string> {
  const asParameter = new URLSearchParams([['', value]]).toString().slice(1);
  const addresses = [asParameter, encodeURIComponent(value.toWellFormed()), encodeURI(value.toWellFormed())];
  const asText = value.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  const asAttribute = asText.replaceAll('"', '&quot;');
  const html = [asText, asAttribute, asAttribute.replaceAll('>', '&gt;'), asText.replaceAll('>', '&gt;')];
  const asJson = JSON.stringify(value).slice(1, -1);
  const json = [asJson, JSON.stringify(asJson).slice(1, -1)];
  const bytes = Buffer.from(value);
  const base64 = [bytes.toString('base64').replace(/=+$/, ''), bytes.toString('base64url')];
  const forms = [value, value.trim().replace(/\s+/g, ' '), ...addresses, ...html, ...json, ...base64];
  // Pages can show text reversed by a right-to-left override.
  if (value.length >= SHORTEST_IN_WORDS) forms.push([...value].toReversed().join(''));
  return new Set(forms.filter((form) => form.length >= SHORTEST_MASKED));
}

/** As a value reads in Base64 wherever it begins in what is encoded, such as `user:password`, and in hexadecimal. */
function codesOf(value: string): ReadonlySet<string> {
  const bytes = Buffer.from(value);
  const cores = [0, 1, 2].flatMap((before) => {
    const text = Buffer.concat([Buffer.alloc(before), bytes]).toString('base64');
    const core = text.slice(Math.ceil((before * 8) / 6), Math.floor(((before + bytes.length) * 8) / 6));
    return [core, core.replaceAll('+', '-').replaceAll('/', '_')];
  });
  const hex = bytes.toString('hex');
  const escaped = hex.replaceAll(/../g, '%$&');
  return new Set([...cores, hex, escaped].filter((code) => code.length >= SHORTEST_CODE));
}

function isCodeSign(text: string, index: number): boolean {
  return index >= 0 && /[a-z\d+/_-]/.test(text.charAt(index));
}

/** Superscript, subscript, circled and fullwidth forms of letters and digits. */
const OTHER_FORMS = /[\u2070-\u209c\u2460-\u24ea\uff01-\uff5e]/g;

/** Lower case with plain letters and digits, of the same length. */
function folded(given: string): string {
  const text = given.replace(OTHER_FORMS, plainForm);
  const lower = text.toLowerCase();
  return lower.length === text.length ? lower : [...text].map(foldedCharacter).join('');
}

function plainForm(character: string): string {
  const plain = character.normalize('NFKC');
  return plain.length === character.length ? plain : character;
}

function foldedCharacter(character: string): string {
  const lower = character.toLowerCase();
  return lower.length === character.length ? lower : character;
}

/** The letters and digits of a text in lower case, and where each stood. */
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

/** The letters and digits of a short text in lower case. */
function bareWords(lower: string): string {
  let bare = '';
  for (let index = 0; index < lower.length; index += 1)
    if (isWordCode(lower.charCodeAt(index))) bare += lower.charAt(index);
  return bare;
}

function textOfCodes(codes: Uint16Array): string {
  return Buffer.from(codes.buffer, codes.byteOffset, codes.byteLength).toString('utf16le');
}

/** Letters and digits; beyond ASCII all but spaces and general punctuation. */
function isWordCode(code: number): boolean {
  if (code < 0x80) return (code >= 0x61 && code <= 0x7a) || (code >= 0x30 && code <= 0x39);
  return code > 0xbf && !(code >= 0x2000 && code <= 0x206f) && !(code >= 0x3000 && code <= 0x303f);
}

/** Whether a short form stands as a word of its own; a long one may stand anywhere. */
function isWhole(form: string, text: string, index: number): boolean {
  if (form.length >= SHORTEST_IN_WORDS) return true;
  return !isWordAt(text, index - 1) && !isWordAt(text, index + form.length);
}

function isWordAt(text: string, index: number): boolean {
  return index >= 0 && index < text.length && isWordCode(text.charCodeAt(index));
}

interface Place {
  readonly text: string;
  readonly bare: BareText;
  readonly index: number;
}

/** How many letters of a form stand at a place: all of them, or those before a text is cut off; else 0. */
function matchLength({ text: form }: Form<KnownValue>, { text, bare, index }: Place): number {
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

/** Whether a short value stands as a word of its own, with usual signs between its groups. */
function isGrouped({ text, bare: { places }, index }: Place, length: number): boolean {
  const [start = 0, last = 0] = [places[index], places[index + length - 1]];
  if (isWordAt(text, start - 1) || isWordAt(text, last + 1)) return false;
  for (let at = index + 1; at < index + length; at += 1)
    if (!BETWEEN_GROUPS.test(text.slice((places[at - 1] ?? 0) + 1, places[at] ?? 0))) return false;
  return true;
}

function gapAt({ places }: BareText, index: number): number {
  return (places[index] ?? 0) - (places[index - 1] ?? 0) - 1;
}

/** With the signs that the value begins and ends with, where they stand there too. */
function findingAt({ owner }: Form<KnownValue>, { text, bare, index, length }: Place & { length: number }): Finding {
  let start = bare.places[index] ?? 0;
  let end = (bare.places[index + length - 1] ?? 0) + 1;
  const [before = ''] = /^[^\p{L}\p{N}]*/u.exec(owner.value) ?? [];
  const [after = ''] = /[^\p{L}\p{N}]*$/u.exec(owner.value) ?? [];
  if (before !== '' && text.slice(0, start).endsWith(before)) start -= before.length;
  if (after !== '' && text.startsWith(after, end)) end += after.length;
  return { start, end, known: owner };
}
