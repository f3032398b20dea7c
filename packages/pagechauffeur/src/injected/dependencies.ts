/**
 * Records what a reading of one part of the page depends on besides its content, its style and its surroundings, so
 * that a later reading can tell whether the result still holds. Outside of such a recording, nothing is recorded.
 */

type Result = string | number | boolean | null;

/** A result that depends on layout, or on something else that no event reports. */
export interface Measurement {
  readonly node: Node;
  readonly measure: (node: never, detail: never) => Result;
  readonly detail: unknown;
  readonly result: Result;
}

/** Shared by all empty arrays, and never written to. */
const NONE: never[] = [];

export class Dependencies {
  // Most parts depend on nothing, so these arrays are only created when needed.
  measurements: Measurement[] = NONE;
  /** Elements outside of the part. */
  elements: WeakRef<Element>[] = NONE;
  /** What to run again when the result is used again. */
  effects: (() => void)[] = NONE;
  /** False if the reading also depends on something that is not recorded. */
  isComplete = true;

  constructor(other?: Dependencies) {
    if (!other) return;
    this.measurements = other.measurements;
    this.elements = other.elements;
    this.effects = other.effects;
  }

  /** Takes over those of a part inside. */
  add(inner: Dependencies): void {
    this.measurements = joined(this.measurements, inner.measurements);
    this.elements = joined(this.elements, inner.elements);
    this.effects = joined(this.effects, inner.effects);
    this.isComplete &&= inner.isComplete;
  }

  /** True if both consist of the same measurement, as for the rows of a table. */
  equals(other: Dependencies): boolean {
    const [own, others] = [this.measurements[0], other.measurements[0]];
    if (own === undefined || others === undefined) return false;
    const isOnly = [this, other].every(
      ({ measurements, elements, effects }) => measurements.length === 1 && elements === NONE && effects === NONE,
    );
    return isOnly && isSameMeasurement(own, others) && own.result === others.result;
  }

  get isEmpty(): boolean {
    return this.measurements.length + this.elements.length + this.effects.length === 0;
  }
}

function joined<T>(one: T[], other: T[]): T[] {
  if (one === NONE) return other;
  for (const item of other) one.push(item);
  return one;
}

let current: Dependencies | null = null;
let measuring = 0;

/** Starts or continues a recording; `null` ends it. */
export function recordInto(dependencies: Dependencies | null): void {
  current = dependencies;
}

/** Runs `measure`, and records its result as a dependency. It may read sizes and positions. */
export function measured<N extends Node>(node: N, measure: (node: N) => boolean): boolean;
export function measured<N extends Node, R extends Result, D = undefined>(
  node: N,
  measure: (node: N, detail: D) => R,
  ...detail: D extends undefined ? [] : [D]
): R;
export function measured<N extends Node, R extends Result, D>(
  node: N,
  measure: (node: N, detail: D | undefined) => R,
  detail?: D,
): R {
  measuring += 1;
  let result: R;
  try {
    result = measure(node, detail);
  } finally {
    measuring -= 1;
  }
  if (current !== null && measuring === 0) addMeasurement(current, { node, measure, detail, result });
  return result;
}

function addMeasurement(dependencies: Dependencies, added: Measurement): void {
  const { measurements } = dependencies;
  const { length } = measurements;
  for (let index = Math.max(0, length - MOST_COMPARED); index < length; index += 1) {
    const known = measurements[index];
    if (known && isSameMeasurement(known, added)) return;
  }
  dependencies.measurements = joined(measurements, [added]);
}

function isSameMeasurement(one: Measurement, other: Measurement): boolean {
  return one.node === other.node && one.measure === other.measure && one.detail === other.detail;
}

/** Maximum earlier measurements to compare with a new one. Repeated ones usually follow each other closely. */
const MOST_COMPARED = 8;

/** True if dependencies of a part are recorded now. */
export function isRecording(): boolean {
  return current !== null && measuring === 0;
}

/** Runs `read` without recording. */
export function unrecorded<T>(read: () => T): T {
  measuring += 1;
  try {
    return read();
  } finally {
    measuring -= 1;
  }
}

/** True if the measurement still has the same result. */
export function isUnchanged({ node, measure, detail, result }: Measurement): boolean {
  return unrecorded(() => measure(node as never, detail as never)) === result;
}

/** Records that the part depends on the content of another element. */
export function dependOn(element: Element): void {
  if (current !== null && measuring === 0) current.elements = joined(current.elements, [new WeakRef(element)]);
}

/**
 * Runs `effect` now, and again whenever the recorded result is used. Also recorded inside `measured`, because the effect must
 * run again even if the measurement is used again.
 */
export function repeatedOnUse(effect: () => void): void {
  effect();
  if (current !== null) current.effects = joined(current.effects, [effect]);
}

/** Call for a dependency that is not recorded, such as a size or a position. The result then never holds again. */
export function markIncomplete(): void {
  if (current !== null && measuring === 0) current.isComplete = false;
}

/** Elements that changed without an event of the DOM. `null` while no document is watched. */
let changed: WeakRef<Element>[] | null = null;

/** Reports a change that no event of the DOM shows, such as a listener that was found. */
export function reportChange(element: Element): void {
  changed?.push(new WeakRef(element));
}

/** Call when the document is no longer watched. */
export function stopReporting(): void {
  changed = null;
}

/** Returns the elements reported since the last call. */
export function takeReportedChanges(): readonly Element[] {
  const elements = (changed ?? []).flatMap((held) => held.deref() ?? []);
  changed = [];
  return elements;
}

const numberByObject = new WeakMap<object, number>();
let lastNumber = 0;

/** Returns a number that no other object has, so that identities can be compared as part of a text. */
export function numberOf(object: object): number {
  const known = numberByObject.get(object);
  if (known !== undefined) return known;
  lastNumber += 1;
  numberByObject.set(object, lastNumber);
  return lastNumber;
}
