import type { FrameText, WireNode, WireProperties } from '../../contract.ts';
import { refOf } from '../../refs.ts';
import { type Fold, type FoldPlan, forEachShown, type Shown } from '../folding/fold-plan.ts';
import type { InlineLinks } from './line-list.ts';
import { refBounds } from '../folding/folded-refs.ts';
import { SHARED_OPTIONS_LENGTH } from './list-facts.ts';
import { refOfText } from './long-texts.ts';
import { optionRanges } from './option-ranges.ts';
import { UrlList } from './url-list.ts';
import { quoteCellText, quoteEnclosedText, quoteText, quote, quoteLines, quoteTextAfterElement } from './quote-text.ts';
import {
  childrenOf,
  hasNothingBelow,
  isFlatItem,
  isFlatRow,
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
  /** Links to write on the same line as the text around them. If absent, each link has its own line. */
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

/** Punctuation that follows text without a space. */
const CLOSING = /^[,.;:!?)\]]/;

class Renderer {
  readonly lines: string[] = [];
  readonly urls = new UrlList();
  readonly cutRefs = new Set<number>();
  isCut = false;
  readonly #refByOptions = new Map<string, number>();
  readonly #roles: readonly string[];
  readonly #showsUrls: boolean;
  readonly #inlineLinks: InlineLinks | undefined;
  readonly #plan: FoldPlan;

  constructor({ roles, showsUrls, inlineLinks }: RenderedLines, plan: FoldPlan) {
    this.#roles = roles;
    this.#inlineLinks = inlineLinks;
    this.#showsUrls = showsUrls;
    this.#plan = plan;
  }

  writeAll(lines: readonly WireNode[], indent: string): void {
    const shown: Shown[] = [];
    forEachShown(lines, this.#plan, (one) => shown.push(one));
    for (let index = 0; index < shown.length;) {
      const { fold, line } = shown[index] as Shown;
      const end = fold ? index + 1 : this.#endOfSentence(shown, index);
      if (fold) this.lines.push(indent + this.#fold(fold, lines));
      else if (end > index + 1) this.lines.push(`${indent}- ${this.#sentence(shown.slice(index, end), quoteText)}`);
      else this.#write(line, indent);
      index = end;
    }
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
    for (const { line } of shown) {
      if (line === undefined) continue;
      const words =
        typeof line !== 'string' ? this.#head(line) : (text === '' ? notation : quoteTextAfterElement)(line);
      text += text === '' || (typeof line === 'string' && CLOSING.test(words)) ? words : ` ${words}`;
    }
    return text;
  }

  #write(node: WireNode, indent: string): void {
    if (typeof node === 'string') {
      this.lines.push(`${indent}- ${this.#words(node, quoteText)}`);
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
    const shown = parts.map((line) => ({ line }));
    let text = '';
    for (let index = 0; index < shown.length;) {
      const end = this.#endOfSentence(shown, index);
      const part = parts[index];
      const words =
        typeof part === 'string' && end === index + 1
          ? this.#words(part, quoteCellText)
          : this.#sentence(shown.slice(index, end), quoteCellText);
      text += ` | ${words}`;
      index = end;
    }
    return text;
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

  /** Formats a fold as `… 9 more rows (e7–e15)`. */
  #fold(fold: Fold, lines: readonly WireNode[]): string {
    const refs = refBounds(lines, fold);
    const holder = refs || !fold.holder ? 0 : refOf(fold.holder);
    const index = refs ? ` (${MARK}e${refs[0]}–${MARK}e${refs[1]})` : holder === 0 ? '' : ` (in ${MARK}e${holder})`;
    const names = fold.names ? `: ${quoteText(fold.names)}` : '';
    return `… ${fold.count} more ${fold.noun}${index}${names}`;
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
