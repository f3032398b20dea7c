/** True for an array whose entries all pass. A hole counts as `undefined`; `every` would skip it. */
export function isArrayOf<T>(value: unknown, accepts: (entry: unknown) => entry is T): value is readonly T[];
export function isArrayOf(value: unknown, accepts: (entry: unknown) => boolean): value is readonly unknown[];
export function isArrayOf(value: unknown, accepts: (entry: unknown) => boolean): boolean {
  return Array.isArray(value) && Array.from<unknown>(value).every((entry) => accepts(entry));
}
