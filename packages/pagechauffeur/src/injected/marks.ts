import { hasInternals } from './element-internals.ts';

const markNames: ReadonlySet<string> = new Set([
  'contenteditable',
  'draggable',
  'hidden',
  'inert',
  'popover',
  'role',
  'tabindex',
]);

/** Attributes for styles in which component libraries repeat a state, such as `data-selected` or `data-combobox-disabled`. */
const DATA_STATE = /^data-(?:[a-z]+-)?(?:active|disabled|expanded|indeterminate|selected)$/;

/** True for attributes that can change an element's role, states or behavior. */
export function isMarkName(name: string): boolean {
  return markNames.has(name) || name.startsWith('aria-') || name.startsWith('on') || DATA_STATE.test(name);
}

/** True if an attribute or the element's internals can change its role, states or behavior. */
export function hasMarks(element: Element): boolean {
  return Element.prototype.getAttributeNames.call(element).some(isMarkName) || hasInternals(element);
}

/** Returns the state that a `data-` attribute repeats, such as `selected`; `null` for other names and for "false". */
export function dataStateOf(name: string, value: string): string | null {
  return DATA_STATE.test(name) && value !== 'false' ? name.slice(name.lastIndexOf('-') + 1) : null;
}

/** Matches names such as `data-x`, `data-row-key` and `data-column-name`. */
const COORDINATE = /^data-(?:[a-z]+-)?(?:[xyrc]|row|col|column|cell)(?:-?(?:key|name|index|idx|id|num|number))?$/;

/** True for an attribute with the position of a cell in a table. */
export function isCoordinate(name: string): boolean {
  return COORDINATE.test(name);
}
