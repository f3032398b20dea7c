import { hasAttribute } from './native.ts';

const handlerAttributes = [
  'onclick',
  'onmousedown',
  'onmouseup',
  'onpointerdown',
  'onpointerup',
  'ondblclick',
] as const;

/** True if the element has a mouse handler attribute such as `onclick`. */
export function hasHandler(element: Element): boolean {
  for (const name of handlerAttributes) if (hasAttribute(element, name)) return true;
  return false;
}
