const KINDS = ['field', 'name', 'text'] as const;

/** A separate piece of page text: the value or name of a field, or a line of text. */
interface Segment {
  readonly kind: (typeof KINDS)[number];
  /** Letters and digits only, in lower case. */
  readonly bare: string;
  readonly start: number;
  readonly end: number;
  /** The number of its line. */
  readonly line: number;
}

/** A place that shows a value, or a part of one. */
export interface PartFinding<T> {
  readonly start: number;
  readonly end: number;
  readonly owner: T;
}

/** A value that may stand over several places. */
interface Whole<T> {
  readonly bare: string;
  readonly owner: T;
  /** So short that it says nothing but where it stands alone. */
  readonly isShort: boolean;
}

/** Shorter values are matched across field values only, not across names and texts: list numbers would match. */
const SHORTEST_IN_TEXTS = 4;
/** So many lines may lie between two parts, such as the label of the next box. */
const MOST_LINES_BETWEEN = 3;

/** Finds values that are spread over neighbouring fields and lines, such as a code in six boxes, and short ones that stand alone. */
export class PartIndex<T> {
  readonly #wholesByFirst = new Map<string, Whole<T>[]>();

  /** Adds a value of two letters and digits or more. */
  add(bare: string, owner: T, { isShort }: { readonly isShort: boolean }): void {
    const first = bare.charAt(0);
    const wholes = this.#wholesByFirst.get(first) ?? [];
    wholes.push({ bare, owner, isShort });
    wholes.sort((a, b) => b.bare.length - a.bare.length);
    this.#wholesByFirst.set(first, wholes);
  }

  /** The places of a page's text that show a value together. */
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

/** The neighbours that together are just this value; none when they are not. */
function partsAt(segments: readonly Segment[], index: number, bare: string): readonly Segment[] {
  const parts: Segment[] = [];
  let length = 0;
  for (let segment = segments[index]; segment && length < bare.length; segment = segments[index + parts.length]) {
    const before = parts.at(-1);
    if (before && segment.line - before.line > MOST_LINES_BETWEEN + 1) return [];
    if (!bare.startsWith(segment.bare, length)) return [];
    length += segment.bare.length;
    parts.push(segment);
  }
  return length === bare.length ? parts : [];
}

/** `= "4"` of a field; `textbox "4"` of a field with that name or placeholder; `- 4` of a text; `listitem "4"`. Names of buttons, such as the keys of a keypad, do not count. */
const FIELD = /= "((?:[^"\\]|\\.)*)"/;
const NAMED = /^\s*\w+ (?:textbox|searchbox|spinbutton) "((?:[^"\\]|\\.){1,40})"(?! = )/;
const TEXT = /^\s*(?:- (.{1,40})|[a-z]+ "((?:[^"\\]|\\.){1,40})")$/;

function segmentsOf(text: string, bareOf: (words: string) => string): Segment[] {
  const segments: Segment[] = [];
  let at = 0;
  for (const [line, words] of text.split('\n').entries()) {
    const field = words.includes('= "') ? FIELD.exec(words) : null;
    const named = field ? null : NAMED.exec(words);
    const [, item = '', name = item] = field ?? named ?? TEXT.exec(words) ?? [];
    const bare = name === '' || name.length > LONGEST_PART ? '' : bareOf(name);
    const start = at + (field ? field.index + 3 : named ? words.indexOf('"') + 1 : words.lastIndexOf(name));
    const kind = field ? 'field' : named ? 'name' : 'text';
    if (bare !== '') segments.push({ kind, bare, start, end: start + name.length, line });
    at += words.length + 1;
  }
  return segments;
}

/** Longer texts are no part of a value that is spread. */
const LONGEST_PART = 40;
