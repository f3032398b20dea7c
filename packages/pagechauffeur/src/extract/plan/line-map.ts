import { partsOf, type LocatedLine } from '../places/located-lines.ts';
import { sharedSteps, stepsIn } from '../places/xpath-steps.ts';

/** An element and its lines. `end` is exclusive. */
export interface Scope {
  readonly base: string;
  readonly start: number;
  readonly end: number;
}

/** Maximum number of elements that contain the value but not its label. */
const MAX_BOXES_TO_LABEL = 2;

export class LineMap {
  readonly lines: readonly LocatedLine[];
  readonly #placesByPath = new Map<string, number[]>();

  constructor(lines: readonly LocatedLine[]) {
    this.lines = lines;
    for (const [lineIndex, { path }] of lines.entries()) {
      const lineIndexes = this.#placesByPath.get(path);
      if (lineIndexes) lineIndexes.push(lineIndex);
      else this.#placesByPath.set(path, [lineIndex]);
    }
  }

  /** Returns the index of the `nth` line of an element. */
  lineIndexOf(path: string, nth: number): number | undefined {
    return this.#placesByPath.get(path)?.[nth];
  }

  /** Returns the index of a line among the lines of its element. */
  nthOf(lineIndex: number): number {
    return this.#placesByPath.get(this.lines[lineIndex]?.path ?? '')?.indexOf(lineIndex) ?? 0;
  }

  get whole(): Scope {
    return { base: '', start: 0, end: this.lines.length };
  }

  /** Yields the elements whose XPath starts with `beginning`, such as `/ul/li[`, each with the range of its lines. */
  *elementsIn(beginning: string, { start, end }: Scope): Generator<Scope> {
    let current: { base: string; start: number; end: number } | undefined;
    for (let lineIndex = start; lineIndex < end; lineIndex += 1) {
      const path = this.lines[lineIndex]?.path ?? '';
      if (!path.startsWith(beginning)) continue;
      const base = path.slice(0, path.indexOf(']', beginning.length) + 1);
      if (current?.base !== base) {
        if (current) yield current;
        current = { base, start: lineIndex, end: lineIndex + 1 };
      }
      current.end = lineIndex + 1;
    }
    if (current) yield current;
  }

  /** Describes the structure of an element: roles and XPaths of its lines, without text. */
  formOf({ base, start, end }: Scope): string {
    return this.lines
      .slice(start, end)
      .map(({ node, path }) => `${node.role}${path.slice(base.length)}`)
      .join(' ');
  }

  /** Returns the text of the previous line if it is close enough to be a label. */
  labelOf(lineIndex: number): string | undefined {
    const [before, line] = [this.lines[lineIndex - 1], this.lines[lineIndex]];
    if (!before || !line || before.node.children.length > 0) return undefined;
    const isClose = stepsIn(line.path) - sharedSteps(before.path, line.path) <= MAX_BOXES_TO_LABEL;
    return isClose ? partsOf(before.node)[0]?.text : undefined;
  }
}
