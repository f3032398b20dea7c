import { isConnected } from './native.ts';

const refByElement = new WeakMap<Element, number>();
const elementByRef = new Map<number, WeakRef<Element>>();
let lastRef = 0;

/** The element's ref, given on first request and kept as long as the element lives. */
export function refOf(element: Element): number {
  const known = refByElement.get(element);
  if (known !== undefined) return known;
  lastRef += 1;
  refByElement.set(element, lastRef);
  elementByRef.set(lastRef, new WeakRef(element));
  return lastRef;
}

/** Whether a ref was given to the element. */
export function hasRef(element: Element): boolean {
  return refByElement.has(element);
}

/** The element a ref was given to, or null when it has left the document. */
export function elementOfRef(ref: number): Element | null {
  const element = elementByRef.get(ref)?.deref();
  if (!element) {
    elementByRef.delete(ref);
    return null;
  }
  return isConnected(element) ? element : null;
}
