import type { Snapshot } from './snapshot.ts';
import {
  ownElementOf,
  type ParsedLine,
  parseLine,
  type SnapshotLine,
  snapshotLines,
  withoutSpans,
} from './parse-line.ts';

interface TextRequest {
  /** The user's instruction. Lines that contain one of its rare words are kept. */
  readonly instruction?: string | undefined;
  /** A ref in the part to expand. */
  readonly expand?: string | undefined;
}

/** Minimum size of a part to fold. A shorter part is as long as the line that would replace it. */
const MIN_LINES = 3;
const MIN_CHARACTERS = 120;
/** Minimum number of lines in a repeated block outside of landmarks. Fewer could be a coincidence. */
const MIN_BLOCK = 6;
/** Maximum number of equal lines of the previous page to compare with. */
const MAX_SAME_LINES = 8;
/** Maximum number of characters for the names in a fold line. */
const LONGEST_NAMES = 60;
/** Minimum characters of a list of options. Shorter lists are kept. */
const MIN_OPTIONS = 60;
/** A word of the instruction keeps the lines that contain it if there are at most this many. */
const MAX_MENTIONS = 6;

/**
 * Shortens what the previous page also had. Menus, headers and footers become one line each, and lists of options
 * become `options as before`. Keeps fields, current items, and lines with rare words of the instruction.
 */
export function withoutRepeatedParts(after: Snapshot, before: Snapshot, request: TextRequest = {}): Snapshot {
  if (originOf(after.url) !== originOf(before.url)) return after;
  const lines = snapshotLines(after);
  const known = snapshotLines(before);
  const areas = repeatedLines(
    { lines, texts: plainTexts(lines, after) },
    { lines: known, texts: plainTexts(known, before) },
  );
  const isMentioned = mentionTest(lines, request.instruction ?? '');
  const canFold = lines.map((line, index) => areas.has(index) && !mustStayVisible(line) && !isMentioned(line.text));
  const shown = foldStretches(lines, { canFold, expand: request.expand });
  const options = new Set(known.flatMap(({ text, parsed }) => optionsIn(text, parsed)));
  const text = shown.map((line) => withKnownOptions(line, options, request.expand)).join('\n');
  return text === after.text ? after : { ...after, text };
}

function originOf(url: string): string {
  return URL.canParse(url) ? new URL(url).origin : url;
}

interface PlainLines {
  readonly lines: readonly SnapshotLine[];
  /** The lines without refs, and with URLs instead of their numbers. */
  readonly texts: readonly string[];
}

function plainTexts(lines: readonly SnapshotLine[], { urls }: Snapshot): readonly string[] {
  return lines.map(({ text, isFold, parsed: { elements } }) => {
    if (isFold) return text.replace(REFS, '');
    const plain = withoutSpans(
      text,
      elements.flatMap(({ marks }) => [marks.ref, marks.url]),
    );
    return [plain, ...elements.map(({ url }) => (url === undefined ? '' : urls[url]))].join(' ');
  });
}

const REFS = /(?<![\w"])(?:f\d+)?e\d+(?=[ )–,]|$)/g;

/**
 * A line is repeated if it is in a landmark on both pages, or in a block of lines that both pages have in the same
 * order.
 */
function repeatedLines(now: PlainLines, before: PlainLines): ReadonlySet<number> {
  const known = new Set(before.texts.filter((_, index) => landmarkOf(before.lines, index) !== undefined));
  const indexes = new Set<number>();
  for (const [index, text] of now.texts.entries())
    if (known.has(text) && landmarkOf(now.lines, index) !== undefined) indexes.add(index);
  // Buttons do not count: a form in the main content can end with the same ones on every page.
  for (const { start, end } of sameBlocks(now.texts, before.texts))
    for (let index = start; index < end; index += 1) if (roleOf(now.lines[index]) !== 'button') indexes.add(index);
  return indexes;
}

/** Finds blocks of at least `MIN_BLOCK` lines that are in the same order on both pages. */
function sameBlocks(now: readonly string[], before: readonly string[]): readonly { start: number; end: number }[] {
  const indexesByText = new Map<string, number[]>();
  for (const [index, text] of before.entries()) {
    const indexes = indexesByText.get(text) ?? [];
    indexesByText.set(text, indexes);
    if (indexes.length < MAX_SAME_LINES) indexes.push(index);
  }
  const blocks: { start: number; end: number }[] = [];
  for (let start = 0; start < now.length;) {
    const lengths = (indexesByText.get(now[start] ?? '') ?? []).map((index) => sameLength(now, start, before, index));
    const length = Math.max(1, ...lengths);
    if (length >= MIN_BLOCK) blocks.push({ start, end: start + length });
    start += length;
  }
  return blocks;
}

function sameLength(now: readonly string[], start: number, before: readonly string[], index: number): number {
  let length = 0;
  while (start + length < now.length && now[start + length] === before[index + length]) length += 1;
  return length;
}

/** Returns the landmark around a line. The main content does not count as one. */
function landmarkOf(lines: readonly SnapshotLine[], index: number): string | undefined {
  for (let above = lines[index]?.parent ?? -1; above >= 0; above = lines[above]?.parent ?? -1) {
    const role = roleOf(lines[above]);
    if (role !== undefined && LANDMARKS.has(role)) return role;
  }
  return undefined;
}

function roleOf(line: SnapshotLine | undefined): string | undefined {
  return line && ownElementOf(line.parsed)?.role;
}

const LANDMARKS: ReadonlySet<string> = new Set(['navigation', 'banner', 'contentinfo', 'complementary']);

/** True for fields, messages, dialogs and frames, and for items with a state such as `current` or `expanded`. */
function mustStayVisible({ parsed: { elements } }: SnapshotLine): boolean {
  return elements.some(({ role, states }) => FIELDS.has(role) || states.some((state) => STATES.has(state)));
}

const FIELDS: ReadonlySet<string> = new Set(
  'textbox searchbox combobox listbox checkbox radio switch slider spinbutton alert status log dialog alertdialog iframe'.split(
    ' ',
  ),
);
const STATES: ReadonlySet<string> = new Set(
  'current selected pressed expanded checked unread focused invalid bold'.split(' '),
);
/** Returns a test for lines with a rare word of the instruction. */
function mentionTest(lines: readonly SnapshotLine[], instruction: string): (text: string) => boolean {
  const lineCounts = new Map<string, number>();
  for (const { text } of lines) for (const word of wordsIn(text)) lineCounts.set(word, (lineCounts.get(word) ?? 0) + 1);
  const rareWords = [...wordsIn(instruction)].filter((word) => (lineCounts.get(word) ?? 0) <= MAX_MENTIONS);
  return (text) => {
    const words = wordsIn(text);
    return rareWords.some((word) => words.has(word));
  };
}

/** Returns numbers, and words with at least three letters. */
function wordsIn(text: string): ReadonlySet<string> {
  return new Set(text.toLowerCase().match(/\p{L}{3,}|\p{N}+/gu));
}

/** Folds adjacent lines that can be folded, together with all lines below them, into one line. */
function foldStretches(
  lines: readonly SnapshotLine[],
  { canFold, expand }: { readonly canFold: readonly boolean[]; readonly expand: string | undefined },
): readonly string[] {
  const ends = subtreeEnds(lines);
  const isWholeFoldable = canFold.slice();
  for (let index = lines.length - 1; index >= 0; index -= 1) {
    const parent = lines[index]?.parent ?? -1;
    if (parent >= 0 && !isWholeFoldable[index]) isWholeFoldable[parent] = false;
  }
  const shown: string[] = [];
  for (let index = 0; index < lines.length;) {
    let end = index;
    const parent = lines[index]?.parent;
    while (end < lines.length && isWholeFoldable[end] && lines[end]?.parent === parent) end = ends[end] ?? end + 1;
    const fold = foldLine(lines.slice(index, end), expand);
    const next = fold === undefined ? Math.max(end, index + 1) : end;
    if (fold !== undefined) shown.push(indentOf(lines, index) + fold);
    else for (let each = index; each < next; each += 1) shown.push(indentOf(lines, each) + (lines[each]?.text ?? ''));
    index = next;
  }
  return shown;
}

/** Returns, for each line, the index after its last descendant. */
function subtreeEnds(lines: readonly SnapshotLine[]): readonly number[] {
  const ends = lines.map((_, index) => index + 1);
  for (let index = lines.length - 1; index >= 0; index -= 1) {
    const parent = lines[index]?.parent ?? -1;
    if (parent >= 0) ends[parent] = Math.max(ends[parent] ?? 0, ends[index] ?? 0);
  }
  return ends;
}

function indentOf(lines: readonly SnapshotLine[], index: number): string {
  let depth = 0;
  for (let above = lines[index]?.parent ?? -1; above >= 0; above = lines[above]?.parent ?? -1) depth += 1;
  return ' '.repeat(depth);
}

/** Returns undefined to keep the lines. A stretch without a ref is kept, because no one could expand it. */
function foldLine(stretch: readonly SnapshotLine[], expand: string | undefined): string | undefined {
  const refs = stretch.flatMap(({ text }) => text.match(REFS) ?? []);
  const [first] = refs;
  const length = stretch.reduce((sum, { text }) => sum + text.length, 0);
  if (first === undefined || length < MIN_CHARACTERS || (expand !== undefined && holds(refs, expand))) return undefined;
  const count = stretch.reduce((sum, { text }) => sum + Number(/^… (\d+) more/.exec(text)?.[1] ?? 1), 0);
  if (count < MIN_LINES) return undefined;
  return `… ${count} more lines as on the previous page (${first}–${refs.at(-1)}): ${namesIn(stretch)}`;
}

/** True if `wanted` is between the lowest and the highest of these refs, inclusive. */
function holds(refs: readonly string[], wanted: string): boolean {
  const numbers = refs.map(numberOf);
  return (
    prefixOf(refs[0] ?? '') === prefixOf(wanted) &&
    numberOf(wanted) >= Math.min(...numbers) &&
    numberOf(wanted) <= Math.max(...numbers)
  );
}

function numberOf(ref: string): number {
  return Number(/\d+$/.exec(ref)?.[0] ?? 0);
}

function prefixOf(ref: string): string {
  return /^f\d+/.exec(ref)?.[0] ?? '';
}

function namesIn(stretch: readonly SnapshotLine[]): string {
  const names: string[] = [];
  let length = 0;
  for (const { text, isFold, parsed } of stretch) {
    const name = isFold ? text.replace(/^[^:]*: /, '') : (parsed.elements[0]?.name ?? '');
    if (name === '' || (isFold && name === text)) continue;
    names.push(name);
    length += name.length + 2;
    if (length > LONGEST_NAMES) break;
  }
  const all = names.join(', ');
  return all.length > LONGEST_NAMES ? `${all.slice(0, LONGEST_NAMES)}…` : all;
}

/** Returns the options as written in the line. */
function optionsIn(text: string, { elements }: ParsedLine): readonly string[] {
  return elements.flatMap(({ marks: { options } }) => (options ? text.slice(options.start, options.end) : []));
}

function withKnownOptions(line: string, known: ReadonlySet<string>, expand: string | undefined): string {
  const [options = ''] = optionsIn(line, parseLine(line));
  const isRequested = expand !== undefined && line.trimStart().startsWith(`${expand} `);
  return options.length < MIN_OPTIONS || isRequested || !known.has(options)
    ? line
    : line.replace(options, () => ' options as before');
}
