import { visitElements } from './composed-walk.ts';
import { localNameOf } from './native.ts';

const frameIdByElement = new WeakMap<Element, string>();
const elementByFrameId = new Map<string, WeakRef<Element>>();

/** Tags of elements that can contain a frame. */
const frameTags: ReadonlySet<string> = new Set(['embed', 'frame', 'iframe', 'object']);

/** True for `iframe` and `frame`, and for an `object` or `embed` with a frame. */
export function isFrameElement(element: Element, tag: string = localNameOf(element)): boolean {
  if (!frameTags.has(tag)) return false;
  return element instanceof HTMLIFrameElement || element instanceof HTMLFrameElement || frameIdByElement.has(element);
}

/**
 * True if the element is or may become a frame. For `object` and `embed`, the browser reports a frame only once it
 * exists.
 */
export function mayHoldFrame(element: Element): boolean {
  return frameTags.has(localNameOf(element));
}

/** Stores the browser's id of the frame in a frame element. */
export function rememberFrame(element: Element, frameId: string): void {
  const earlier = frameIdByElement.get(element);
  if (earlier !== undefined) elementByFrameId.delete(earlier);
  frameIdByElement.set(element, frameId);
  elementByFrameId.set(frameId, new WeakRef(element));
}

/** Returns the browser's id of the element's frame; `''` while it is unknown. */
export function frameIdOf(element: Element): string {
  return frameIdByElement.get(element) ?? '';
}

/** Returns the browser's ids of this document's known frames, in document order. */
export function heldFrames(): string[] {
  const ids: string[] = [];
  visitElements(document, (element) => {
    const id = frameIdByElement.get(element);
    if (id !== undefined) ids.push(id);
  });
  return ids;
}

/** Returns the element that contains a frame; `null` if it is unknown. */
export function frameElementOf(frameId: string): Element | null {
  const element = elementByFrameId.get(frameId)?.deref();
  if (!element) elementByFrameId.delete(frameId);
  return element ?? null;
}
