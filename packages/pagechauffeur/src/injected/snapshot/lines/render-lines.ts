import type { FrameText, WireNode, WireProperties } from '../../contract.ts';
import { refOf } from '../../refs.ts';
import { type Fold, type FoldPlan, forEachShown, type Shown } from '../folding/fold-plan.ts';
import { refBounds } from '../folding/folded-refs.ts';
import { MIN_REPEATS, partsOf, runsIn } from '../folding/repetition.ts';
import { type InlineLinks, type LineGroup, refOfText, LONG_TEXT } from './line-list.ts';
import { type ListFacts, SHARED_OPTIONS_LENGTH } from './list-facts.ts';
import { optionRanges } from './option-ranges.ts';
import {
  quoteCellText,
  quoteEnclosedText,
  quoteText,
  quote,
  quoteLines,
  quoteTextAfterElement,
  quoteCellLines,
  quoteLinesAfterElement,
  quoteTextLines,
} from './quote-text.ts';
import {
  areFlat,
  childrenOf,
  hasNothingBelow,
  isCellRole,
  isFlatItem,
  isFlatRow,
  isItemRole,
  isLeaf,
  MAX_FLAT_CHARACTERS,
  MAX_FLAT_PARTS,
  nameIn,
  NO_PROPERTIES,
  propertiesOf,
  refIn,
  type WireLine,
} from './wire-line.ts';

/** Marks text that depends on the frame's position in the page; see `FrameText.text`. In JSON, DEL takes one byte. */
const MARK = '\u007F';

export interface RenderedLines {
  readonly nodes: readonly WireNode[];
  readonly roles: readonly string[];
  readonly showsUrls: boolean;
  readonly facts: ListFacts;
  /**
   * Links to write on the same line as the text around them. If absent, each link has its own line, and so has each part of
   * an item without a line of its own.
   */
  readonly inlineLinks?: InlineLinks;
}

/** `cutRefs`: the refs that expand truncated text or a shortened list of options. */
export interface Rendering extends Pick<FrameText, 'text' | 'urls'> {
  readonly cutRefs: ReadonlySet<number>;
  readonly isCut: boolean;
}

/**
 * Renders lines as text: `e5 button "Save" disabled`, `- text e6 link "Terms", more text`, `row | a | b`, `… 9 more
 * rows (e7–e15)`.
 */
export function renderLines(lines: RenderedLines, plan: FoldPlan): Rendering {
  const renderer = new Renderer(lines, plan);
  renderer.writeAll(lines.nodes, '');
  const { urls, cutRefs, isCut } = renderer;
  return { text: renderer.lines.join('\n'), urls: urls.written, cutRefs, isCut };
}

const TAB = '\t';
/** Punctuation that follows text without a space. */
const CLOSING = /^[,.;:!?)\]]/;
const NO_ITEMS: ReadonlyMap<number, number> = new Map();

class Renderer {
  readonly lines: string[] = [];
  readonly urls = new UrlList();
  readonly cutRefs = new Set<number>();
  isCut = false;
  readonly #refByOptions = new Map<string, number>();
  readonly #roles: readonly string[];
  readonly #showsUrls: boolean;
  readonly #facts: ListFacts;
  readonly #inlineLinks: InlineLinks | undefined;
  readonly #plan: FoldPlan;

  constructor({ roles, facts, showsUrls, inlineLinks }: RenderedLines, plan: FoldPlan) {
    this.#roles = roles;
    this.#facts = facts;
    this.#inlineLinks = inlineLinks;
    this.#showsUrls = showsUrls;
    this.#plan = plan;
  }

  writeAll(lines: readonly WireNode[], indent: string): void {
    const shown: Shown[] = [];
    forEachShown(lines, this.#plan, (one) => shown.push(one));
    const items = this.#itemsIn(lines);
    let place = 0;
    for (let index = 0; index < shown.length;) {
      const { fold, line } = shown[index] as Shown;
      const length = items.get(place) ?? this.#definitionLength(shown, index);
      const item = length > 1 ? this.#item(shown.slice(index, index + length)) : '';
      const end = fold ? index + 1 : item === '' ? this.#endOfSentence(shown, index) : index + length;
      if (fold) this.lines.push(indent + this.#fold(fold, lines));
      else if (item !== '') this.lines.push(indent + item);
      else if (end > index + 1) this.#writeText(this.#sentence(shown.slice(index, end), quoteTextLines), indent);
      else if (this.#isOnlyDefinition(shown, index)) this.#writeContent(line as WireLine, `${indent} `);
      else this.#write(line, indent);
      place = fold ? fold.end : place + end - index;
      index = end;
    }
  }

  /** Returns the number of lines of a term and its short definitions; 0 for other lines. */
  #definitionLength(shown: readonly Shown[], index: number): number {
    if (!this.#inlineLinks || !isLeaf(shown[index]?.line, 'term', this.#roles)) return 0;
    let end = index + 1;
    while (isLeaf(shown[end]?.line, 'definition', this.#roles)) end += 1;
    return end - index;
  }

  /** True for the only definition of the term before it: the content follows below the term. */
  #isOnlyDefinition(shown: readonly Shown[], index: number): boolean {
    if (!this.#inlineLinks || !this.#hasRole(shown[index - 1]?.line, 'term')) return false;
    const line = shown[index]?.line;
    if (!this.#hasRole(line, 'definition') || this.#hasRole(shown[index + 1]?.line, 'definition')) return false;
    return refIn(line) === 0 && propertiesOf(line) === NO_PROPERTIES;
  }

  #hasRole(line: WireNode | undefined, role: string): line is WireLine {
    return typeof line === 'object' && this.#roles[line[0]] === role;
  }

  #writeContent(line: WireLine, indent: string): void {
    if (nameIn(line) !== '') this.#writeText(this.#words(nameIn(line), quoteTextLines), indent);
    this.writeAll(childrenOf(line), indent);
  }

  /** Writes the lines of an item, or a term and its definitions, as one. Returns `''` if that is not possible. */
  #item(shown: readonly Shown[]): string {
    const first = shown[0]?.line;
    if (!isLeaf(first, 'term', this.#roles)) {
      const cells = this.#cells(shown);
      return cells.length > 1 ? `item | ${cells.join(' | ')}` : '';
    }
    const names = shown.slice(1).map(({ line }) => (typeof line === 'object' ? nameIn(line) : ''));
    if (names.join('').length > MAX_FLAT_CHARACTERS) return '';
    return [this.#head(first), ...names.map((name) => this.#words(name, quoteCellText))].join(' | ');
  }

  /** Returns the numbers of lines of items without a line of their own, by the index of their first line. */
  #itemsIn(lines: readonly WireNode[]): ReadonlyMap<number, number> {
    const groups = this.#inlineLinks ? this.#facts.groupsOf(lines) : [];
    if (groups.length === 0) return NO_ITEMS;
    const lengths = new Map<number, number>();
    const note = (siblings: readonly LineGroup[], start: number, end: number): void => {
      const flat = new Set(siblings.filter((group) => this.#isFlat(lines, group)));
      if (flat.size >= MIN_REPEATS) {
        for (const run of runsIn(partsOf(siblings, start, end), lines)) {
          if (run.length === 1 || run[0]?.length !== 1) continue;
          for (const { group } of run.flat())
            if (group && flat.has(group)) lengths.set(group.start, group.end - group.start);
        }
      }
      for (const group of siblings) if (!lengths.has(group.start)) note(group.inner, group.start, group.end);
    };
    note(groups, 0, lines.length);
    return lengths;
  }

  #isFlat(lines: readonly WireNode[], { start, end }: LineGroup): boolean {
    return end - start <= MAX_FLAT_PARTS && areFlat(lines.slice(start, end), this.#roles);
  }

  /** Returns the end of text with inline links that begins at `start`, or `start + 1`. */
  #endOfSentence(shown: readonly Shown[], start: number): number {
    let end = start + 1;
    const first = shown[start]?.line;
    const isText = typeof first === 'string' || typeof shown[end]?.line === 'string';
    if (!isText || !this.#isInSentence(first)) return end;
    while (this.#continues(shown[end - 1]?.line, shown[end]?.line)) end += 1;
    return end;
  }

  #continues(last: WireNode | undefined, node: WireNode | undefined): boolean {
    if (last === undefined || node === undefined || !this.#isInSentence(node)) return false;
    return this.#inlineLinks?.isContinued(last, node) ?? false;
  }

  /** True for text that is not truncated, and for an element with a ref and no children. */
  #isInSentence(node: WireNode | undefined): boolean {
    if (node === undefined) return false;
    return typeof node === 'string' ? !this.#plan.cut.excerpt(node, 0) : refIn(node) !== 0 && hasNothingBelow(node);
  }

  #sentence(shown: readonly Shown[], notation: (words: string) => string): string {
    let text = '';
    const afterElement = notation === quoteTextLines ? quoteLinesAfterElement : quoteTextAfterElement;
    for (const { line } of shown) {
      if (line === undefined) continue;
      const words = typeof line !== 'string' ? this.#head(line) : (text === '' ? notation : afterElement)(line);
      text += text === '' || (typeof line === 'string' && CLOSING.test(words)) ? words : ` ${words}`;
    }
    return text;
  }

  #write(node: WireNode, indent: string): void {
    if (typeof node === 'string') {
      this.#writeText(this.#words(node, quoteTextLines), indent);
      return;
    }
    if (nameIn(node).includes('\n') && this.#writesLinesOf(node)) {
      this.#writeBroken(node, indent);
      return;
    }
    if (isFlatRow(node, this.#roles)) {
      this.lines.push(indent + this.#flatRow(node));
      return;
    }
    const sentence = this.#onlySentence(node) || this.#parts(node);
    this.lines.push(indent + this.#head(node) + sentence);
    if (sentence !== '') return;
    const deeper = `${indent} `;
    const { frameId, states } = propertiesOf(node);
    if (frameId) this.lines.push(`${deeper}${MARK}${states?.includes('covered') ? 'c' : 'f'}${frameId}`);
    else this.writeAll(childrenOf(node), deeper);
  }

  #writeText(text: string, indent: string): void {
    if (!text.includes('\n')) this.lines.push(`${indent}- ${text}`);
    else for (const [index, line] of text.split('\n').entries()) this.lines.push(this.#lineOfText(line, index, indent));
  }

  /** The lines after the first begin with a tab, which takes fewer tokens than `- ` and begins no other line. */
  #lineOfText(line: string, index: number, indent: string): string {
    return `${indent}${index > 0 && this.#inlineLinks ? TAB : '- '}${line}`;
  }

  /** True if the name is the text of the element, and not that of a heading or cell. */
  #writesLinesOf(node: WireLine): boolean {
    const role = this.#roles[node[0]] ?? '';
    return refIn(node) === 0 && role !== 'heading' && !isCellRole(role) && hasNothingBelow(node);
  }

  /** Writes the lines of the name below the element, or those of a short item as its parts. */
  #writeBroken([role, name = '', , properties]: WireLine, indent: string): void {
    const head = this.#head([role, '', 0, properties ?? 0]);
    const isShort = name.length <= LONG_TEXT && isItemRole(this.#roles[role] ?? '');
    this.lines.push(indent + head + (isShort ? ` | ${quoteCellLines(name)}` : ''));
    if (!isShort) this.#writeText(this.#words(name, quoteTextLines), `${indent} `);
  }

  /**
   * Returns the content of an item that contains only text with inline links, in cell notation; `''` for other items.
   */
  #onlySentence(node: WireLine): string {
    const children = childrenOf(node);
    if (children.length < 2 || refIn(node) !== 0 || nameIn(node) !== '' || this.#plan.folds.has(children)) return '';
    const shown = children.map((line) => ({ line }));
    return this.#endOfSentence(shown, 0) === children.length ? ` | ${this.#sentence(shown, quoteCellText)}` : '';
  }

  /** Returns the parts of a flat item in cell notation; `''` for other lines. */
  #parts(node: WireLine): string {
    const parts = childrenOf(node);
    if (this.#plan.folds.has(parts) || !isFlatItem(node, this.#roles)) return '';
    return this.#cells(parts.map((line) => ({ line })))
      .map((cell) => ` | ${cell}`)
      .join('');
  }

  /** Writes each line, or each text with inline links, as a cell. Returns none if a fold is among them. */
  #cells(shown: readonly Shown[]): readonly string[] {
    if (shown.some(({ fold }) => fold)) return [];
    const cells: string[] = [];
    for (let index = 0; index < shown.length;) {
      const end = this.#endOfSentence(shown, index);
      const line = shown[index]?.line;
      const isText = typeof line === 'string' && end === index + 1;
      cells.push(isText ? this.#words(line, quoteCellLines) : this.#sentence(shown.slice(index, end), quoteCellText));
      index = end;
    }
    return cells;
  }

  /** For truncated text, adds the size of the rest and the ref that expands it. */
  #words(text: string, notation: (words: string) => string, lineRef = 0): string {
    const excerpt = this.#plan.cut.excerpt(text, lineRef);
    if (!excerpt) return notation(text);
    this.isCut = true;
    if (excerpt.rest === '') return notation(excerpt.text);
    const ref = refOfText(text, lineRef);
    if (ref !== 0) this.cutRefs.add(ref);
    return `${notation(excerpt.text)} … ${excerpt.rest}${ref === 0 ? '' : `, ${MARK}e${ref}`}`;
  }

  /** Formats a fold as `… 9 more rows (e7–e15)`, or `… 1 more row (e7)`. */
  #fold(fold: Fold, lines: readonly WireNode[]): string {
    const refs = refBounds(lines, fold);
    const holder = refs || !fold.holder ? 0 : refOf(fold.holder);
    const last = refs && refs[1] !== refs[0] ? `–${MARK}e${refs[1]}` : '';
    const index = refs ? ` (${MARK}e${refs[0]}${last})` : holder === 0 ? '' : ` (in ${MARK}e${holder})`;
    const names = fold.names ? `: ${quoteText(fold.names)}` : '';
    return `… ${fold.count} more ${fold.count === 1 ? fold.noun : plural(fold.noun)}${index}${names}`;
  }

  #flatRow(row: WireLine): string {
    let line = this.#head(row);
    const cells = childrenOf(row);
    forEachShown(cells, this.#plan, ({ fold, line: cell }) => {
      if (fold) line += ` | ${this.#fold(fold, cells)}`;
      else if (typeof cell !== 'string') line += ` | ${this.#cell(cell)}`;
    });
    return line;
  }

  #cell(cell: WireLine): string {
    const { states, description } = propertiesOf(cell);
    const isPlain = refIn(cell) === 0 && !states && !description;
    let text = isPlain ? this.#words(nameIn(cell), quoteCellText) : this.#head(cell);
    const children = childrenOf(cell);
    forEachShown(children, this.#plan, ({ fold, line }) => {
      const words = fold
        ? this.#fold(fold, children)
        : typeof line === 'string'
          ? this.#words(line, text === '' ? quoteCellText : quoteTextAfterElement)
          : this.#head(line);
      if (words !== '') text += text === '' ? words : ` ${words}`;
    });
    return text;
  }

  #head(node: WireLine): string {
    const properties = propertiesOf(node);
    const ref = refIn(node);
    const role = this.#roles[node[0]] ?? '';
    let line = ref === 0 ? role : `${MARK}e${ref} ${role}`;
    if (properties.level !== undefined) line += ` ${properties.level}`;
    const name = nameIn(node);
    if (name !== '') line += ` ${this.#words(name, quote, ref)}`;
    return properties === NO_PROPERTIES ? line : line + this.#details(name, properties, ref);
  }

  #details(name: string, properties: WireProperties, ref: number): string {
    const { value, states, placeholder, description, options, url } = properties;
    let details = '';
    if (value) details += ` = ${this.#words(value, quoteLines, ref)}`;
    if (states && states.length > 0) details += ` ${states.join(' ')}`;
    if (placeholder && placeholder !== name) details += ` placeholder ${this.#words(placeholder, quote, ref)}`;
    if (description) details += ` (${this.#words(description, quoteEnclosedText, ref)})`;
    if (options) details += ` options ${this.#options(options, properties, ref)}`;
    if (url && this.#showsUrls) details += ` ${MARK}#${this.urls.numberOf(url)}`;
    return details;
  }

  /** Refers to an earlier element with the same options, if there is one. */
  #options(options: readonly string[], properties: WireProperties, ref: number): string {
    const shown = this.#plan.options.get(properties);
    const label = (index: number): string =>
      quote(this.#plan.cut.excerpt(options[index] ?? '', ref)?.text ?? options[index] ?? '');
    const labels = shown
      ? shown.map(label)
      : optionRanges(options).map(({ from, to }) => (from === to ? label(from) : `${label(from)}–${label(to)}`));
    if (shown && ref !== 0) this.cutRefs.add(ref);
    const list = `${labels.join(', ')}${shown ? ` … ${options.length - shown.length} more` : ''}`;
    if (options.length < SHARED_OPTIONS_LENGTH) return list;
    const key = options.join('\n');
    const known = this.#refByOptions.get(key);
    if (known !== undefined && ref !== 0) return `as ${MARK}e${known}`;
    this.#refByOptions.set(key, ref);
    return list;
  }
}

function plural(noun: string): string {
  return /(x|s|ch|sh)$/.test(noun) ? `${noun}es` : `${noun}s`;
}

/** Only invalid URLs, which the browser returns unchanged, start with `+` or contain line feeds. */
const UNSAFE = /^\+|\n/g;

/** Numbers the URLs of a snapshot, starting at 0. */
class UrlList {
  /** See `FrameText.urls`. */
  written = '';
  readonly #numberByUrl = new Map<string, number>();
  /** The last URL, up to its last `/` or `#`. Long lists of links share it. */
  #shared = '';

  numberOf(url: string): number {
    const known = this.#numberByUrl.get(url);
    if (known !== undefined) return known;
    const number = this.#numberByUrl.size;
    this.#numberByUrl.set(url, number);
    this.#write(url.replace(UNSAFE, encodeURIComponent));
    return number;
  }

  #write(url: string): void {
    const isSimilar = this.#shared !== '' && url.startsWith(this.#shared);
    this.written += isSimilar ? `+${url.slice(this.#shared.length)}\n` : `${url}\n`;
    this.#shared = url.slice(0, Math.max(url.lastIndexOf('/'), url.lastIndexOf('#')) + 1);
  }
}
