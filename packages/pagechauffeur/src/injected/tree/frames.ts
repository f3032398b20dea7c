import { visitElements } from './composed-walk.ts';
import { reportChange } from '../dependencies.ts';
import { localNameOf } from '../native.ts';

const frameIdByElement = new WeakMap<Element, string>();
const elementByFrameId = new Map<string, WeakRef<Element>>();

const frameTags: ReadonlySet<string> = new Set(['embed', 'frame', 'iframe', 'object']);

/** True for `iframe` and `frame`, and for an `object` or `embed` that contains a frame. */
export function isFrameElement(element: Element, tag: string = localNameOf(element)): boolean {
  if (!frameTags.has(tag)) return false;
  return element instanceof HTMLIFrameElement || element instanceof HTMLFrameElement || frameIdByElement.has(element);
}

/**
 * True also for an `object` or `embed` whose frame is not known yet: the browser reports a frame only once it exists.
 */
export function mayHoldFrame(element: Element): boolean {
  return frameTags.has(localNameOf(element));
}

export function rememberFrame(element: Element, frameId: string): void {
  const earlier = frameIdByElement.get(element);
  if (earlier !== undefined) elementByFrameId.delete(earlier);
  frameIdByElement.set(element, frameId);
  reportChange(element);
  elementByFrameId.set(frameId, new WeakRef(element));
}

/** Returns the CDP frame id; `''` while it is unknown. */
export function frameIdOf(element: Element): string {
  return frameIdByElement.get(element) ?? '';
}

/** Returns the ids of known child frames, in document order. */
export function heldFrames(): string[] {
  const ids: string[] = [];
  visitElements(document, (element) => {
    const id = frameIdByElement.get(element);
    if (id !== undefined) ids.push(id);
  });
  return ids;
}

/** Returns `null` if the frame is unknown or its element was garbage-collected. */
export function frameElementOf(frameId: string): Element | null {
  const element = elementByFrameId.get(frameId)?.deref();
  if (!element) elementByFrameId.delete(frameId);
  return element ?? null;
}
