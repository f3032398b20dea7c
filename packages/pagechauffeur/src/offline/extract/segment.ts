import { callNames, textsIn } from '../page/build-lines.ts';
import { KIND_STEMS } from '../page/kind-stems.ts';
import { ancestorsOf, isWithin, type Line } from '../page/line.ts';
import type { PageIndex } from '../page/page-index.ts';
import { CELL_ROLES, isCheckable } from '../page/roles.ts';
import { stemsOf } from '../text/words.ts';

/** A labelled value on the page. */
export interface Fact {
  readonly label: string;
  readonly text: string;
  readonly line: Line;
  /** Confidence that the label describes the value, from 0 to 1. */
  readonly certainty: number;
}

export interface TextLine {
  readonly text: string;
  readonly line: Line;
}

/** A part of the page about one thing: a row, a card, a section or the whole page. */
export class Segment {
  readonly lines: readonly Line[];
  readonly #page: PageIndex;
  #facts: readonly Fact[] | undefined;
  #stems: ReadonlySet<string> | undefined;
  #contextStems: ReadonlySet<string> | undefined;

  constructor(page: PageIndex, lines: readonly Line[]) {
    this.#page = page;
    this.lines = lines;
  }

  get isWholePage(): boolean {
    return this.lines.length === this.#page.lines.length;
  }

  get facts(): readonly Fact[] {
    return (this.#facts ??= [...factsOf(this.#page, this.lines)]);
  }

  /** Names of the lines in reading order. Skips rows, whose name repeats the cells. */
  get texts(): readonly TextLine[] {
    return this.lines.flatMap((line) =>
      line.node.name === '' || line.node.role === 'row' ? [] : [{ text: line.node.name, line }],
    );
  }

  /** Stems in the headings, container names, label and page title that apply to the segment. */
  get contextStems(): ReadonlySet<string> {
    return (this.#contextStems ??= new Set([...this.#page.titleWords, ...stemsOver(this.lines[0])]));
  }

  /** Stems of all text except buttons and menu items. */
  get stems(): ReadonlySet<string> {
    return (this.#stems ??= new Set(this.texts.filter(describesRecord).flatMap(({ text }) => stemsOf(text))));
  }
}

/** Names of buttons and menu items do not describe the record. */
function describesRecord({ line }: TextLine): boolean {
  return line.node.role !== 'button' && line.node.role !== 'menuitem';
}

/** Returns the stems in the headings, container names and label that apply to a line. */
export function stemsOver(line: Line | undefined): readonly string[] {
  if (!line) return [];
  const named = [...ancestorsOf(line)].filter(({ node }) => node.name !== '');
  const over: Line[] = [...named, ...(line.label ? [line.label] : [])];
  for (let heading = line.heading; heading; heading = heading.heading) over.push(heading);
  const kinds = [...ancestorsOf(line)].flatMap(({ node }) => KIND_STEMS.get(node.role) ?? []);
  return [...over.flatMap(({ words }) => [...words.keys()]), ...kinds];
}

const CERTAINTY = { column: 1, label: 0.95, definition: 1, control: 0.9, rowHeader: 0.9, above: 0.8 };
const LABELLED = /^([^:]{1,50}?)\s*:\s+(.+)$/;
/** Another label inside the value. It is then unclear where the value ends. */
const HOLDS_LABEL = /(?:^|\s)\p{L}[\p{L} ]{0,30}:\s/u;
/** Source code: blocks, assignments, statements, tags. Its colons do not introduce values. */
const CODE = /[{}]|\w\s*=>?\s*\S|;\s*$|<\/?[a-z]/i;

function* factsOf(page: PageIndex, lines: readonly Line[]): Generator<Fact> {
  for (const [index, line] of lines.entries()) {
    const { node } = line;
    if (node.role === 'row') yield* cellFacts(page, line);
    if (node.role === 'term') yield* definitionFacts(line, lines.slice(index + 1));
    yield* labelFacts(line);
    yield* valueBelow(lines, index);
    if (node.ref !== undefined) yield* controlFacts(line);
  }
}

function* cellFacts(page: PageIndex, row: Line): Generator<Fact> {
  const cells = page.lines
    .slice(row.index + 1, row.end)
    .filter((line) => line.parent === row && CELL_ROLES.has(line.node.role));
  const headers = page.headersOver(row);
  // If cells span several columns, positions do not match the headers.
  if (headers.length > 0 && headers.length !== cells.length) return;
  for (const [position, cell] of cells.entries()) {
    const header = headers[position];
    const label = header && header !== cell ? columnName(header) : undefined;
    if (label !== undefined) yield { label, text: wholeText(cell), line: cell, certainty: CERTAINTY.column };
  }
  const [first, second] = cells;
  if (headers.length === 0 && first && second && cells.length === 2)
    yield { label: wholeText(first), text: wholeText(second), line: second, certainty: CERTAINTY.rowHeader };
}

/** Drops a hint after the name: "Name: activate to sort" becomes "Name". */
function columnName(header: Line): string {
  const name = callNames(header.node).join(' ');
  return name.split(/:\s/)[0] ?? name;
}

function* definitionFacts(term: Line, after: readonly Line[]): Generator<Fact> {
  const definition = after.find(({ node, parent }) => parent === term.parent && node.role === 'definition');
  if (definition)
    yield { label: wholeText(term), text: wholeText(definition), line: definition, certainty: CERTAINTY.definition };
}

function* labelFacts(line: Line): Generator<Fact> {
  if (line.node.ref !== undefined || CODE.test(line.node.name)) return;
  for (const part of line.node.name.split(/\s+[·|•]\s+|(?<=\w{2})\.\s+/)) {
    const [, label, text] = LABELLED.exec(part) ?? [];
    if (label !== undefined && text !== undefined && !HOLDS_LABEL.test(text))
      yield { label, text, line, certainty: CERTAINTY.label };
  }
}

/** Yields a label with the value below it, such as "Pending requests" above "18". */
function* valueBelow(lines: readonly Line[], index: number): Generator<Fact> {
  const [label, next] = [lines[index], lines[index + 1]];
  if (label && next && isLabelLine(label) && isValueOf(next, label) && !isBelowItsValue(lines, index))
    yield { label: label.node.name, text: next.node.name, line: next, certainty: CERTAINTY.above };
}

/** True if each label follows its value, as in "187, Posts, 24, Tasks". The first pair in the row decides. */
function isBelowItsValue(lines: readonly Line[], index: number): boolean {
  const [label, value] = [lines[index], lines[index - 1]];
  if (!label || !value || !isValueOf(value, label)) return false;
  const before = lines[index - 2];
  const isContinued = before !== undefined && before.parent === label.parent && isLabelLine(before);
  return !isContinued || isBelowItsValue(lines, index - 2);
}

function isLabelLine({ node: { role, ref, name } }: Line): boolean {
  return (role === 'heading' || role === 'text') && ref === undefined && isLabelLike(name);
}

function isValueOf({ node, parent }: Line, label: Line): boolean {
  return parent === label.parent && node.role === 'text' && VALUE.test(node.name);
}

/** A date, or a number with an optional unit or currency. */
const VALUE = /^[^\p{L}\d]{0,3}\d[\d.,:/\s-]*(?:[%°€$£¥]|\p{L}{1,4})?$/u;
const LONGEST_LABEL = 40;

function isLabelLike(text: string): boolean {
  return text.length > 1 && text.length <= LONGEST_LABEL && /\p{L}/u.test(text) && !/\d/.test(text);
}

function* controlFacts(line: Line): Generator<Fact> {
  const { name, value, states } = line.node;
  const checked = isCheckable(line.node) ? String(states.includes('checked')) : undefined;
  const text = value ?? checked;
  const label = name || (value === undefined ? '' : (line.label?.node.name ?? ''));
  if (label !== '' && text !== undefined) yield { label, text, line, certainty: CERTAINTY.control };
}

function wholeText({ node }: Line): string {
  return node.name || textsIn(node).join(' ');
}

export function linesWithin(page: PageIndex, container: Line): readonly Line[] {
  return page.lines.slice(container.index, container.end).filter((line) => isWithin(line, container));
}
