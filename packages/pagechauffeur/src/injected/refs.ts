import { isConnected } from './native.ts';

const refByElement = new WeakMap<Element, number>();
const elementByRef = new Map<number, WeakRef<Element>>();
let lastRef = 0;

/** Assigns a ref on the first call. A ref never changes and is never reused. */
export function refOf(element: Element): number {
  const known = refByElement.get(element);
  if (known !== undefined) return known;
  lastRef += 1;
  refByElement.set(element, lastRef);
  elementByRef.set(lastRef, new WeakRef(element));
  return lastRef;
}

export function hasRef(element: Element): boolean {
  return refByElement.has(element);
}

/** Returns `null` if the element left the document. */
export function elementOfRef(ref: number): Element | null {
  const element = elementByRef.get(ref)?.deref();
  if (!element) {
    elementByRef.delete(ref);
    return null;
  }
  return isConnected(element) ? element : null;
}
