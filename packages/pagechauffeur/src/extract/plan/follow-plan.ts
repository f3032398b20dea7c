import { type DataPath, type ValueLines, pathKey } from '../places/find-value-lines.ts';
import type { LocatedLine } from '../places/located-lines.ts';
import type { ExtractionPlan, FieldsPlan, ListPlan, ValuePlan } from './extraction-plan.ts';
import { LineMap, type Scope } from './line-map.ts';
import { valueIn } from './readings.ts';
import { headersAround } from './table-headers.ts';

/** Data that a plan has read. `lineByPath` maps fields to line indexes. */
export interface FollowedPlan {
  readonly data: unknown;
  readonly lineByPath: ValueLines;
}

/** Reads data from the page. Returns `undefined` if the page does not have the structure of the plan. */
export function followPlan(plan: ExtractionPlan, lines: readonly LocatedLine[]): FollowedPlan | undefined {
  const reader = new PlanReader(lines);
  const read = reader.read(plan, [], reader.whole);
  return read.kind === 'found' ? { data: read.data, lineByPath: reader.lineByPath } : undefined;
}

/** `found`: read from the page; `absent`: not on the page; `other`: the page has another structure. */
type Read = { readonly kind: 'found' | 'absent'; readonly data: unknown } | { readonly kind: 'other' };

const OTHER: Read = { kind: 'other' };

class PlanReader {
  readonly lineByPath = new Map<string, number>();
  readonly #map: LineMap;

  constructor(lines: readonly LocatedLine[]) {
    this.#map = new LineMap(lines);
  }

  get whole(): Scope {
    return this.#map.whole;
  }

  read(plan: ExtractionPlan, path: DataPath, scope: Scope): Read {
    if (plan.kind === 'value') return this.#value(plan, path, scope);
    return plan.kind === 'fields' ? this.#fields(plan, path, scope) : this.#list(plan, path, scope);
  }

  #value({ at, nth, role, part, label, reading, absent }: ValuePlan, path: DataPath, { base }: Scope): Read {
    const lineIndex = this.#map.lineIndexOf(base + at, nth);
    const line = lineIndex === undefined ? undefined : this.#map.lines[lineIndex];
    if (lineIndex === undefined || !line)
      return absent === undefined ? { kind: 'absent', data: undefined } : { kind: 'absent', data: absentData(absent) };
    if (line.node.role !== role || (label !== undefined && this.#map.labelOf(lineIndex) !== label)) return OTHER;
    const value = valueIn(line.node[part] ?? '', reading);
    if (value === undefined) return OTHER;
    this.lineByPath.set(pathKey(path), lineIndex);
    return { kind: 'found', data: value };
  }

  /**
   * An object is absent if none of its fields is on the page. If it has some fields but lacks a required one, the page
   * has another structure.
   */
  #fields({ fields }: FieldsPlan, path: DataPath, scope: Scope): Read {
    const data: Record<string, unknown> = {};
    let hasFound = false;
    let isIncomplete = false;
    for (const [name, plan] of Object.entries(fields)) {
      const read = this.read(plan, [...path, name], scope);
      if (read.kind === 'other') return OTHER;
      hasFound ||= read.kind === 'found';
      isIncomplete ||= read.kind === 'absent' && plan.kind === 'value' && plan.absent === undefined;
      if (read.data !== undefined) data[name] = read.data;
    }
    if (!hasFound) return { kind: 'absent', data: undefined };
    return isIncomplete ? OTHER : { kind: 'found', data };
  }

  #list({ holder, step, headers, skipped, mayBeEmpty, entry }: ListPlan, path: DataPath, scope: Scope): Read {
    const lineIndex = scope.base + holder;
    if (
      headersAround(this.#map.lines.slice(...headerLines(scope, this.#map.lines)), lineIndex).join('|') !==
      headers.join('|')
    )
      return OTHER;
    const data: unknown[] = [];
    for (const element of this.#map.elementsIn(`${lineIndex}/${step}[`, scope)) {
      const read = this.read(entry, [...path, data.length], element);
      if (read.kind === 'found') data.push(read.data);
      else if (read.kind === 'other' || !skipped.includes(this.#map.formOf(element))) return OTHER;
    }
    // Without entries, only a model can tell whether the list is empty or has moved.
    if (data.length === 0) return mayBeEmpty ? { kind: 'absent', data } : OTHER;
    return { kind: 'found', data };
  }
}

/** Returns the range of lines to search for column headers: the enclosing entry, else the whole page. */
function headerLines({ base, start, end }: Scope, lines: readonly LocatedLine[]): [number, number] {
  return base === '' ? [0, lines.length] : [start, end];
}

function absentData(absent: 'null' | 'missing'): null | undefined {
  return absent === 'null' ? null : undefined;
}
