import { partsOf, type PlacedLine } from '../places/placed-lines.ts';
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

  /** Returns the index of the `nth` line of an element. */
  placeOf(path: string, nth: number): number | undefined {
    return this.#placesByPath.get(path)?.[nth];
  }

  nthOf(place: number): number {
    return this.#placesByPath.get(this.lines[place]?.path ?? '')?.indexOf(place) ?? 0;
  }

  get whole(): Scope {
    return { base: '', start: 0, end: this.lines.length };
  }

  /** Index of a line among the lines of its element. */
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

  /** Describes the structure of an element: roles and XPaths of its lines, without text. */
  formOf({ base, start, end }: Scope): string {
    return this.lines
      .slice(start, end)
      .map(({ node, path }) => `${node.role}${path.slice(base.length)}`)
      .join(' ');
  }

  /** Returns the text of the previous line if it is close enough to be a label. */
  labelOf(place: number): string | undefined {
    const [before, line] = [this.lines[place - 1], this.lines[place]];
    if (!before || !line || before.node.children.length > 0) return undefined;
    const isClose = stepsIn(line.path) - sharedSteps(before.path, line.path) <= MAX_BOXES_TO_LABEL;
    return isClose ? partsOf(before.node)[0]?.text : undefined;
  }
}
