import { visitElements } from './composed-walk.ts';
import { localNameOf } from './native.ts';

const frameIdByElement = new WeakMap<Element, string>();
const elementByFrameId = new Map<string, WeakRef<Element>>();

/** Tags of elements that may hold a frame. */
const frameTags: ReadonlySet<string> = new Set(['embed', 'frame', 'iframe', 'object']);

/** Whether the element holds a frame: a frame by its tag, or an `object` or `embed` that the browser made one for. */
export function isFrameElement(element: Element, tag: string = localNameOf(element)): boolean {
  if (!frameTags.has(tag)) return false;
  return element instanceof HTMLIFrameElement || element instanceof HTMLFrameElement || frameIdByElement.has(element);
}

/** Whether the element may come to hold a frame: the browser says so of an `object` or `embed` only after it is there. */
export function mayHoldFrame(element: Element): boolean {
  return frameTags.has(localNameOf(element));
}

/** Remembers which frame (the browser's id) a frame element holds. */
export function rememberFrame(element: Element, frameId: string): void {
  const earlier = frameIdByElement.get(element);
  if (earlier !== undefined) elementByFrameId.delete(earlier);
  frameIdByElement.set(element, frameId);
  elementByFrameId.set(frameId, new WeakRef(element));
}

/** The browser's id of the frame that the element holds, `''` while it is not known. */
export function frameIdOf(element: Element): string {
  return frameIdByElement.get(element) ?? '';
}

/** The browser's ids of the frames that this document is known to hold, in document order. */
export function heldFrames(): string[] {
  const ids: string[] = [];
  visitElements(document, (element) => {
    const id = frameIdByElement.get(element);
    if (id !== undefined) ids.push(id);
  });
  return ids;
}

/** The element that holds a frame, null when no known element does. */
export function frameElementOf(frameId: string): Element | null {
  const element = elementByFrameId.get(frameId)?.deref();
  if (!element) elementByFrameId.delete(frameId);
  return element ?? null;
}
