import { isConnected } from './native.ts';

const refByElement = new WeakMap<Element, number>();
/** Indexed by ref. Takes a fifth of the memory of a map. */
const elements: (WeakRef<Element> | null)[] = [null];
let lastRef = 0;

/** Assigns a ref on the first call. A ref never changes and is never reused. */
export function refOf(element: Element): number {
  const known = refByElement.get(element);
  if (known !== undefined) return known;
  lastRef += 1;
  refByElement.set(element, lastRef);
  elements[lastRef] = new WeakRef(element);
  return lastRef;
}

export function hasRef(element: Element): boolean {
  return refByElement.has(element);
}

/** Returns `null` if the element left the document. */
export function elementOfRef(ref: number): Element | null {
  const element = elements[ref]?.deref();
  if (!element) {
    if (ref in elements) elements[ref] = null;
    return null;
  }
  return isConnected(element) ? element : null;
}
