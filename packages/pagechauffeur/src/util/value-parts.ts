const KINDS = ['field', 'name', 'text'] as const;

interface Segment {
  readonly kind: (typeof KINDS)[number];
  /** Letters and digits only, in lower case. */
  readonly bare: string;
  readonly start: number;
  readonly end: number;
  readonly line: number;
}

export interface PartFinding<T> {
  readonly start: number;
  readonly end: number;
  readonly owner: T;
}

interface Whole<T> {
  readonly bare: string;
  readonly owner: T;
  /** True if the value is so short that it matches only as a complete segment. */
  readonly isShort: boolean;
}

/** Shorter values match only across field values. Across names and lines, the numbers of a list would match. */
const SHORTEST_IN_TEXTS = 4;
/** Maximum number of lines between two parts, for example for a label. */
const MAX_LINES_BETWEEN = 3;

/**
 * Finds values that are split over adjacent fields and lines, such as a code in six boxes, and short values that fill a
 * field or line.
 */
export class PartIndex<T> {
  readonly #wholesByFirst = new Map<string, Whole<T>[]>();

  /** `bare` must have at least 2 characters. */
  add(bare: string, owner: T, { isShort }: { readonly isShort: boolean }): void {
    const first = bare.charAt(0);
    const wholes = this.#wholesByFirst.get(first) ?? [];
    wholes.push({ bare, owner, isShort });
    wholes.sort((a, b) => b.bare.length - a.bare.length);
    this.#wholesByFirst.set(first, wholes);
  }

  /** Returns the segments that form a value, alone or together. */
  findings(text: string, bareOf: (words: string) => string): PartFinding<T>[] {
    if (this.#wholesByFirst.size === 0) return [];
    const segments = segmentsOf(text, bareOf);
    const byKind = KINDS.map((kind) => segments.filter((segment) => segment.kind === kind));
    return byKind.flatMap((own) => own.flatMap((_segment, index) => this.#findingsAt(own, index)));
  }

  #findingsAt(segments: readonly Segment[], index: number): PartFinding<T>[] {
    const first = segments[index]?.bare.charAt(0) ?? '';
    for (const { bare, owner, isShort } of this.#wholesByFirst.get(first) ?? []) {
      const parts = partsAt(segments, index, bare);
      const [{ kind } = { kind: 'text' }] = parts;
      const counts = parts.length > 1 ? kind === 'field' || bare.length >= SHORTEST_IN_TEXTS : isShort;
      if (parts.length > 0 && counts) return parts.map(({ start, end }) => ({ start, end, owner }));
    }
    return [];
  }
}

function partsAt(segments: readonly Segment[], index: number, bare: string): readonly Segment[] {
  const parts: Segment[] = [];
  let length = 0;
  for (let segment = segments[index]; segment && length < bare.length; segment = segments[index + parts.length]) {
    const before = parts.at(-1);
    if (before && segment.line - before.line > MAX_LINES_BETWEEN + 1) return [];
    if (!bare.startsWith(segment.bare, length)) return [];
    length += segment.bare.length;
    parts.push(segment);
  }
  return length === bare.length ? parts : [];
}

/**
 * The parts of a snapshot line that can hold a segment: `= "4"` (field value), `textbox "4"` (field name or
 * placeholder), `- 4`, `row | 4` and `listitem "4"` (text), `says "4"`. Buttons are left out, because keypads have one
 * for each digit.
 */
const FIELD = /= "((?:[^"\\]|\\.)*)"/;
const NAMED = /^\s*\w+ (?:textbox|searchbox|spinbutton) "((?:[^"\\]|\\.){1,40})"(?! = )/;
const SAYS = /(?<=\bsays ")((?:[^"\\]|\\.){1,40})(?=")/;
const TEXT = /^\s*(?:(?:-|row \|) ([^|]{1,40})|[a-z]+ "((?:[^"\\]|\\.){1,40})")$/;

function segmentsOf(text: string, bareOf: (words: string) => string): Segment[] {
  const segments: Segment[] = [];
  let at = 0;
  for (const [line, words] of text.split('\n').entries()) {
    const field = words.includes('= "') ? FIELD.exec(words) : null;
    const named = field ? null : NAMED.exec(words);
    const whole = field || named ? null : TEXT.exec(words);
    const quoted = field || named || whole ? null : SAYS.exec(words);
    const [, item = '', name = item] = field ?? named ?? whole ?? quoted ?? [];
    const bare = name === '' || name.length > LONGEST_PART ? '' : bareOf(name);
    const place = field ? field.index + 3 : named ? words.indexOf('"') + 1 : (quoted?.index ?? words.lastIndexOf(name));
    const start = at + place;
    const kind = field ? 'field' : named ? 'name' : 'text';
    if (bare !== '') segments.push({ kind, bare, start, end: start + name.length, line });
    at += words.length + 1;
  }
  return segments;
}

/** Longer segments are never part of a split value. */
const LONGEST_PART = 40;
