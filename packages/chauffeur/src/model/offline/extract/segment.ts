import { callNames, textsIn } from '../page/build-lines.ts';
import { isWithin, type Line } from '../page/line.ts';
import type { PageIndex } from '../page/page-index.ts';
import { CELL_ROLES, isCheckable } from '../page/roles.ts';
import { stemsOf } from '../text/words.ts';

/** A value with what the page calls it. */
export interface Fact {
  readonly label: string;
  readonly text: string;
  readonly line: Line;
  /** How surely the label belongs to the value, from 0 to 1. */
  readonly certainty: number;
}

/** A text of a segment. */
export interface TextLine {
  readonly text: string;
  readonly line: Line;
}

/** A part of a page that is about one thing: a row, a card, a section, or the page. */
export class Segment {
  readonly lines: readonly Line[];
  readonly #page: PageIndex;
  #facts: readonly Fact[] | undefined;
  #stems: ReadonlySet<string> | undefined;

  constructor(page: PageIndex, lines: readonly Line[]) {
    this.#page = page;
    this.lines = lines;
  }

  /** The labelled values in it. */
  get facts(): readonly Fact[] {
    return (this.#facts ??= [...factsOf(this.#page, this.lines)]);
  }

  /** The texts in it, in order. */
  get texts(): readonly TextLine[] {
    return this.lines.flatMap((line) =>
      line.node.name === '' || line.node.role === 'row' ? [] : [{ text: line.node.name, line }],
    );
  }

  /** The stems of all its texts. */
  get stems(): ReadonlySet<string> {
    return (this.#stems ??= new Set(this.texts.flatMap(({ text }) => stemsOf(text))));
  }
}

const CERTAINTY = { column: 1, label: 0.95, definition: 1, control: 0.9, rowHeader: 0.9, heading: 0.5 };
const LABELLED = /^([^:]{1,50}?)\s*:\s+(.+)$/;

function* factsOf(page: PageIndex, lines: readonly Line[]): Generator<Fact> {
  for (const [index, line] of lines.entries()) {
    const { node } = line;
    if (node.role === 'row') yield* cellFacts(page, line);
    if (node.role === 'term') yield* definitionFacts(line, lines.slice(index + 1));
    yield* labelFacts(line);
    if (node.role === 'heading') yield* headingFacts(line, lines[index + 1]);
    if (node.ref !== undefined) yield* controlFacts(line);
  }
}

function* cellFacts(page: PageIndex, row: Line): Generator<Fact> {
  const cells = page.lines
    .slice(row.index + 1, row.end)
    .filter((line) => line.parent === row && CELL_ROLES.has(line.node.role));
  const headers = page.headersOver(row);
  for (const [position, cell] of cells.entries()) {
    const header = headers[position];
    if (header)
      yield { label: callNames(header.node).join(' '), text: wholeText(cell), line: cell, certainty: CERTAINTY.column };
  }
  const [first, second] = cells;
  if (headers.length === 0 && first && second)
    yield { label: wholeText(first), text: wholeText(second), line: second, certainty: CERTAINTY.rowHeader };
}

function* definitionFacts(term: Line, after: readonly Line[]): Generator<Fact> {
  const definition = after.find(({ node, parent }) => parent === term.parent && node.role === 'definition');
  if (definition)
    yield { label: wholeText(term), text: wholeText(definition), line: definition, certainty: CERTAINTY.definition };
}

function* labelFacts(line: Line): Generator<Fact> {
  if (line.node.ref !== undefined) return;
  for (const part of line.node.name.split(/\s+[·|•]\s+|(?<=\w{2})\.\s+/)) {
    const [, label, text] = LABELLED.exec(part) ?? [];
    if (label !== undefined && text !== undefined) yield { label, text, line, certainty: CERTAINTY.label };
  }
}

function* headingFacts(heading: Line, next: Line | undefined): Generator<Fact> {
  if (next && next.node.role === 'text')
    yield { label: callNames(heading.node).join(' '), text: next.node.name, line: next, certainty: CERTAINTY.heading };
}

function* controlFacts(line: Line): Generator<Fact> {
  const { name, value, states } = line.node;
  const checked = isCheckable(line.node) ? String(states.includes('checked')) : undefined;
  const text = value ?? checked;
  if (name !== '' && text !== undefined) yield { label: name, text, line, certainty: CERTAINTY.control };
}

/** All the text of a line and what is below it. */
function wholeText({ node }: Line): string {
  return node.name || textsIn(node).join(' ');
}

/** The lines of a container. */
export function linesWithin(page: PageIndex, container: Line): readonly Line[] {
  return page.lines.slice(container.index, container.end).filter((line) => isWithin(line, container));
}
