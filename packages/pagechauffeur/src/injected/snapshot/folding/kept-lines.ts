import type { WireNode } from '../../contract.ts';
import { UNCUT } from './excerpts.ts';
import { FOLD_TOKENS, tokensInHead } from './line-tokens.ts';
import { LONG_TEXT } from '../lines/line-list.ts';
import type { Wanted } from './wanted.ts';
import { childrenOf, nameIn, propertiesOf, type WireLine } from '../lines/wire-line.ts';

/** Fractions of the token limit for lines that match the instruction, and for headings. */
const MATCH_SHARE = 0.3;
const OUTLINE_SHARE = 0.9;
/** Fraction of the page's tokens for headings, which can be most of the content in cards and tables. */
const OUTLINE_OF_PAGE = 0.25;
const CHARACTERS_PER_TOKEN = 4;
/** Maximum characters of text that matches the instruction, if the token limit allows so many. */
const LONGEST_MATCH = 2000;

/** Lines that stay visible in a folded page, with their ancestors. */
export interface Kept {
  readonly matched: LineSet;
  readonly outline: LineSet;
  /** For long text: the index of the section that matches the instruction best. */
  readonly spots: ReadonlyMap<string, number>;
  /** Maximum characters of that text, if higher than the limit for other text. */
  readonly matchLimit: number;
}

/** A set of lines and their ancestors, by index in their list. */
export class LineSet {
  readonly #byLines = new Map<readonly WireNode[], Set<number>>();

  add(path: Path | null): void {
    for (let step = path; step; step = step.above) {
      const indexes = this.#byLines.get(step.lines) ?? new Set();
      if (indexes.has(step.index)) return;
      this.#byLines.set(step.lines, indexes.add(step.index));
    }
  }

  has(lines: readonly WireNode[], index: number): boolean {
    return this.#byLines.get(lines)?.has(index) ?? false;
  }

  hasBetween(lines: readonly WireNode[], start: number, end: number): boolean {
    const indexes = this.#byLines.get(lines);
    if (!indexes) return false;
    for (let index = start; index < end; index += 1) if (indexes.has(index)) return true;
    return false;
  }
}

export const NOTHING_KEPT: Kept = { matched: new LineSet(), outline: new LineSet(), spots: new Map(), matchLimit: 0 };

interface Path {
  readonly lines: readonly WireNode[];
  readonly index: number;
  readonly above: Path | null;
}

interface KeptPage {
  readonly nodes: readonly WireNode[];
  readonly roles: readonly string[];
  readonly wanted: Wanted | null;
}

/** Finds headings and lines that match the instruction. */
export class KeptLines {
  readonly #matches: readonly Stretch[];
  readonly #headings: readonly Heading[];
  readonly #tokensOfPage: number;

  constructor({ nodes, roles, wanted }: KeptPage) {
    const headings: Heading[] = [];
    const stretches: Stretch[] = [];
    let characters = 0;
    forEachPath(nodes, null, (path, line) => {
      if (isHeading(line, roles)) headings.push(headingOf(path, line, roles));
      const texts = textsOf(line);
      for (const text of texts) characters += text.length;
      if (wanted) addStretches(stretches, path, texts);
    });
    const ranked = wanted?.ranked(stretches.length, (index) => stretches[index]?.words ?? '') ?? [];
    this.#matches = ranked.flatMap((index) => stretches[index] ?? []);
    this.#headings = headings;
    this.#tokensOfPage = characters / CHARACTERS_PER_TOKEN;
  }

  within(limit: number): Kept {
    const outline = outlineLines(this.#headings, Math.min(limit * OUTLINE_SHARE, this.#tokensOfPage * OUTLINE_OF_PAGE));
    return { ...matchingLines(this.#matches, limit), outline };
  }
}

/** In document order, ancestors first. */
function forEachPath(
  lines: readonly WireNode[],
  above: Path | null,
  visit: (path: Path, line: WireNode) => void,
): void {
  for (let index = 0; index < lines.length; index += 1) {
    const line = lines[index] ?? '';
    const path = { lines, index, above };
    visit(path, line);
    if (typeof line !== 'string') forEachPath(childrenOf(line), path, visit);
  }
}

/** A section of long text, or the short strings of a line. */
interface Stretch {
  readonly path: Path;
  readonly words: string;
  readonly text?: string;
  readonly offset: number;
}

function matchingLines(ranked: readonly Stretch[], limit: number): Omit<Kept, 'outline'> {
  const matched = new LineSet();
  const spots = new Map<string, number>();
  const most = limit * MATCH_SHARE * CHARACTERS_PER_TOKEN;
  let left = most;
  for (const stretch of ranked) {
    const { path, words, text, offset } = stretch;
    left -= words.length + FOLD_TOKENS * CHARACTERS_PER_TOKEN;
    if (left < 0 && stretch !== ranked[0]) break;
    matched.add(path);
    if (text !== undefined && !spots.has(text)) spots.set(text, offset);
  }
  return { matched, spots, matchLimit: Math.min(LONGEST_MATCH, Math.floor(most / Math.max(1, spots.size))) };
}

function addStretches(stretches: Stretch[], path: Path, texts: readonly string[]): void {
  let short = '';
  for (const text of texts) if (text.length <= LONG_TEXT) short += short === '' ? text : ` ${text}`;
  if (short !== '') stretches.push({ path, words: short, offset: 0 });
  for (const text of texts) {
    if (text.length <= LONG_TEXT) continue;
    for (let offset = 0; offset < text.length;) {
      // Ends the section between words.
      const space = text.lastIndexOf(' ', offset + LONG_TEXT);
      const end = space > offset ? space : offset + LONG_TEXT;
      stretches.push({ path, words: text.slice(offset, end), text, offset });
      offset = end;
    }
  }
}

function textsOf(line: WireNode): readonly string[] {
  if (typeof line === 'string') return [line];
  const name = nameIn(line);
  if (!line[3]) return name === '' ? NO_TEXTS : [name];
  const { value = '', placeholder = '', description = '' } = line[3];
  return [name, value, placeholder, description].filter((text) => text !== '');
}

const NO_TEXTS: readonly string[] = [];

/** Keeps headings level by level while they fit. */
function outlineLines(headings: readonly Heading[], most: number): LineSet {
  const levels = [...new Set(headings.map(({ level }) => level))].toSorted((a, b) => a - b);
  const outline = new LineSet();
  let tokens = 0;
  for (const level of levels) {
    const sameLevel = headings.filter((heading) => heading.level === level);
    tokens += sameLevel.reduce((sum, heading) => sum + heading.tokens, 0);
    if (tokens > most) break;
    for (const { path } of sameLevel) outline.add(path);
  }
  return outline;
}

interface Heading {
  readonly path: Path;
  readonly level: number;
  readonly tokens: number;
}

function headingOf(path: Path, line: WireLine, roles: readonly string[]): Heading {
  return { path, level: propertiesOf(line).level ?? 0, tokens: tokensInHead(line, roles, UNCUT) + FOLD_TOKENS };
}

export function isHeading(line: WireNode | undefined, roles: readonly string[]): line is WireLine {
  return typeof line === 'object' && roles[line[0]] === 'heading';
}
