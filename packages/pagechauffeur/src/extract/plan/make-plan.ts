import { isDeepStrictEqual } from 'node:util';
import { isRecord } from '../../util/is-record.ts';
import { type DataPath, type ValueLines, pathKey } from '../places/find-value-lines.ts';
import type { Scalar } from '../places/line-index.ts';
import { type LocatedLine, partsOf } from '../places/located-lines.ts';
import { sharedSteps, stepsOf } from '../places/xpath-steps.ts';
import type { ExtractionPlan, ValuePlan } from './extraction-plan.ts';
import { followPlan } from './follow-plan.ts';
import { LineMap, type Scope } from './line-map.ts';
import { type AnyPlan, ABSENT, asPlan, SHORT, unified } from './unified-plans.ts';
import { readingOf } from './readings.ts';
import { headersAround } from './table-headers.ts';

/**
 * Creates a plan that reads this data from pages with the same structure. Returns `undefined` if no plan can be made
 * that reads exactly this data from the page now.
 */
export function makePlan(
  data: unknown,
  { lines, lineByPath }: { readonly lines: readonly LocatedLine[]; readonly lineByPath: ValueLines },
): ExtractionPlan | undefined {
  const plan = asPlan(new PlanMaker(lines, lineByPath).make(data));
  if (!plan) return undefined;
  return isDeepStrictEqual(followPlan(plan, lines)?.data, data) ? plan : undefined;
}

class PlanMaker {
  readonly #map: LineMap;
  readonly #lineByPath: ValueLines;

  readonly #valuePlaces: ReadonlySet<number>;

  constructor(lines: readonly LocatedLine[], lineByPath: ValueLines) {
    this.#map = new LineMap(lines);
    this.#lineByPath = lineByPath;
    this.#valuePlaces = new Set(lineByPath.values());
  }

  make(data: unknown): AnyPlan | undefined {
    return this.#plan(data, [], this.#map.whole);
  }

  #plan(data: unknown, path: DataPath, scope: Scope): AnyPlan | undefined {
    if (data === undefined) return ABSENT.missing;
    if (data === null) return ABSENT.null;
    if (Array.isArray(data)) return this.#list(data, path, scope);
    if (isRecord(data)) return this.#fields(data, path, scope);
    const isScalar = typeof data === 'string' || typeof data === 'number' || typeof data === 'boolean';
    return isScalar ? this.#value(data, path, scope) : undefined;
  }

  #value(value: Scalar, path: DataPath, { base }: Scope): ValuePlan | undefined {
    const lineIndex = this.#lineByPath.get(pathKey(path));
    const line = lineIndex === undefined ? undefined : this.#map.lines[lineIndex];
    if (lineIndex === undefined || !line || !isWithin(line.path, base)) return undefined;
    const { node } = line;
    for (const { part, text } of partsOf(node)) {
      const reading = readingOf(text, value);
      if (!reading) continue;
      const label = this.#valuePlaces.has(lineIndex - 1) ? undefined : this.#map.labelOf(lineIndex);
      return {
        kind: 'value',
        at: line.path.slice(base.length),
        nth: this.#map.nthOf(lineIndex),
        role: node.role,
        part,
        ...(label === undefined ? {} : { label }),
        reading,
      };
    }
    return undefined;
  }

  #fields(data: Readonly<Record<string, unknown>>, path: DataPath, scope: Scope): AnyPlan | undefined {
    const fields: Record<string, AnyPlan> = {};
    for (const [name, field] of Object.entries(data)) {
      const plan = this.#plan(field, [...path, name], scope);
      if (!plan) return undefined;
      fields[name] = plan;
    }
    return { kind: 'fields', fields };
  }

  #list(entries: readonly unknown[], path: DataPath, scope: Scope): AnyPlan | undefined {
    if (entries.length < 2) return entries.length === 0 ? SHORT.empty : SHORT.single;
    const lineIndex = this.#elementsOf(entries.length, path, scope.base);
    if (!lineIndex) return undefined;
    const { holder, step } = lineIndex;
    const scopes = new Map(
      Array.from(this.#map.elementsIn(`${holder}/${step}[`, scope), (element) => [element.base, element] as const),
    );
    let common: AnyPlan = SHORT.single;
    for (const [index, entry] of entries.entries()) {
      const element = scopes.get(lineIndex.elements[index] ?? '');
      const plan = element && this.#plan(entry, [...path, index], element);
      const both: AnyPlan | undefined = plan && unified(common, plan);
      if (!both) return undefined;
      common = both;
    }
    for (const element of lineIndex.elements) scopes.delete(element);
    const skipped = new Set(Array.from(scopes.values(), (element) => this.#map.formOf(element)));
    const headers = headersAround(this.#map.lines, holder);
    return {
      kind: 'list',
      holder: holder.slice(scope.base.length),
      step,
      headers,
      skipped: [...skipped],
      mayBeEmpty: false,
      entry: common,
    };
  }

  /** Returns the XPaths of the list entries: the siblings at which the XPaths of values of the first two diverge. */
  #elementsOf(
    count: number,
    path: DataPath,
    base: string,
  ): { readonly holder: string; readonly step: string; readonly elements: readonly string[] } | undefined {
    const paths = Array.from({ length: count }, (_, index) => this.#anyPathIn([...path, index]));
    const [first, second] = paths;
    if (first === undefined || second === undefined) return undefined;
    const depth = sharedSteps(first, second);
    const holder = beginning(first, depth);
    const step = nameOfStep(first, depth);
    if (!isWithin(holder, base) || step === undefined) return undefined;
    const elements = paths.map((entry) => (entry === undefined ? '' : beginning(entry, depth + 1)));
    const areSideBySide = elements.every((element) => element.startsWith(`${holder}/${step}[`));
    return areSideBySide ? { holder, step, elements } : undefined;
  }

  #anyPathIn(path: DataPath): string | undefined {
    const key = pathKey(path);
    const exact = this.#lineByPath.get(key);
    if (exact !== undefined) return this.#map.lines[exact]?.path;
    return this.#firstPathByEntry.get(key);
  }

  /** XPath of one value of each entry, by the path of the entry. */
  get #firstPathByEntry(): ReadonlyMap<string, string> {
    this.#firstPaths ??= firstPaths(this.#lineByPath, this.#map.lines);
    return this.#firstPaths;
  }
  #firstPaths: ReadonlyMap<string, string> | undefined;
}

function firstPaths(lineByPath: ValueLines, lines: readonly LocatedLine[]): ReadonlyMap<string, string> {
  const paths = new Map<string, string>();
  for (const [key, lineIndex] of lineByPath) {
    const steps = JSON.parse(key) as DataPath;
    for (let length = steps.length - 1; length > 0; length -= 1) {
      const holder = pathKey(steps.slice(0, length));
      if (typeof steps[length - 1] === 'number' && !paths.has(holder)) paths.set(holder, lines[lineIndex]?.path ?? '');
    }
  }
  return paths;
}

function isWithin(path: string, base: string): boolean {
  return path === base || (path.startsWith(base) && (base === '' || path[base.length] === '/'));
}

function beginning(path: string, steps: number): string {
  return stepsOf(path)
    .slice(0, steps)
    .map((step) => `/${step}`)
    .join('');
}

function nameOfStep(path: string, depth: number): string | undefined {
  return /^(.*)\[\d+\]$/.exec(stepsOf(path)[depth] ?? '')?.[1];
}
