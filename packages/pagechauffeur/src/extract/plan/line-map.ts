import { partsOf, type PlacedLine } from '../places/placed-lines.ts';
import { sharedSteps, stepsIn } from '../places/xpath-steps.ts';

/** The XPath of an element, and its lines from `start` to `end`, exclusive. */
export interface Scope {
  readonly base: string;
  readonly start: number;
  readonly end: number;
}

/** Maximum number of boxes between a value and its label. */
const MAX_BOXES_TO_LABEL = 2;

/** The lines of a page, by the XPaths of their elements. */
export class LineMap {
  readonly lines: readonly PlacedLine[];
  readonly #placesByPath = new Map<string, number[]>();

  constructor(lines: readonly PlacedLine[]) {
    this.lines = lines;
    for (const [place, { path }] of lines.entries()) {
      const places = this.#placesByPath.get(path);
      if (places) places.push(place);
      else this.#placesByPath.set(path, [place]);
    }
  }

  /** Returns the index of a line of this element. */
  placeOf(path: string, nth: number): number | undefined {
    return this.#placesByPath.get(path)?.[nth];
  }

  /** Returns the index of a line among the lines of its element. */
  nthOf(place: number): number {
    return this.#placesByPath.get(this.lines[place]?.path ?? '')?.indexOf(place) ?? 0;
  }

  /** The scope of the whole page. */
  get whole(): Scope {
    return { base: '', start: 0, end: this.lines.length };
  }

  /** Yields the sibling elements whose XPaths start with `beginning`, if they have lines. */
  *elementsIn(beginning: string, { start, end }: Scope): Generator<Scope> {
    let current: { base: string; start: number; end: number } | undefined;
    for (let place = start; place < end; place += 1) {
      const path = this.lines[place]?.path ?? '';
      if (!path.startsWith(beginning)) continue;
      const base = path.slice(0, path.indexOf(']', beginning.length) + 1);
      if (current?.base !== base) {
        if (current) yield current;
        current = { base, start: place, end: place + 1 };
      }
      current.end = place + 1;
    }
    if (current) yield current;
  }

  /** Returns the structure of an element: its lines without their texts. */
  formOf({ base, start, end }: Scope): string {
    return this.lines
      .slice(start, end)
      .map(({ node, path }) => `${node.role}${path.slice(base.length)}`)
      .join(' ');
  }

  /** Returns the text of the previous line if that line is close. */
  labelOf(place: number): string | undefined {
    const [before, line] = [this.lines[place - 1], this.lines[place]];
    if (!before || !line || before.node.children.length > 0) return undefined;
    const isClose = stepsIn(line.path) - sharedSteps(before.path, line.path) <= MAX_BOXES_TO_LABEL;
    return isClose ? partsOf(before.node)[0]?.text : undefined;
  }
}
