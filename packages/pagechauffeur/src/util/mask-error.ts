import type { ValueMask } from './value-mask.ts';

/** Masks variable values in the fields of an error and its causes. Returns the same error. */
export function maskError(error: unknown, mask: ValueMask): unknown {
  if (mask.isEmpty) return error;
  let current = error;
  for (let depth = 0; current instanceof Error && depth < DEEPEST_CAUSE; depth += 1) {
    maskFields(current, mask);
    current = current.cause;
  }
  return error;
}

/** Guards against cycles: an error can be its own cause. */
const DEEPEST_CAUSE = 10;

function maskFields(error: Error, mask: ValueMask): void {
  for (const name of Object.getOwnPropertyNames(error)) {
    const field: unknown = Reflect.get(error, name);
    const masked = field instanceof Error ? field : mask.maskData(field);
    if (masked !== field) Reflect.set(error, name, masked);
  }
}
