import { isConnected } from './native.ts';

const refByElement = new WeakMap<Element, number>();
/** Indexed by ref, because an array needs less memory than a map. Refs start at 1. */
const heldByRef: (WeakRef<Element> | null)[] = [null];
let lastRef = 0;
let assignsRefs = true;

/** Assigns a ref on the first call. A ref never changes and is never reused. */
export function refOf(element: Element): number {
  const known = refByElement.get(element);
  if (known !== undefined) return known;
  if (!assignsRefs) return lastRef + 1;
  lastRef += 1;
  refByElement.set(element, lastRef);
  heldByRef[lastRef] = new WeakRef(element);
  return lastRef;
}

/** Runs a read whose result is discarded, so elements without a ref get none. */
export function withoutNewRefs(read: () => void): void {
  assignsRefs = false;
  try {
    read();
  } finally {
    assignsRefs = true;
  }
}

export function hasRef(element: Element): boolean {
  return refByElement.has(element);
}

/** Returns `null` if the element left the document. */
export function elementOfRef(ref: number): Element | null {
  const element = heldByRef[ref]?.deref();
  if (!element) {
    if (ref in heldByRef) heldByRef[ref] = null;
    return null;
  }
  return isConnected(element) ? element : null;
}
