const markNames: ReadonlySet<string> = new Set(['contenteditable', 'draggable', 'hidden', 'inert', 'role', 'tabindex']);

/** True for attributes that can change an element's role, states or behavior. */
export function isMarkName(name: string): boolean {
  return markNames.has(name) || name.startsWith('aria-') || name.startsWith('on');
}

export function hasMarks(element: Element): boolean {
  return Element.prototype.getAttributeNames.call(element).some(isMarkName);
}
