import { nameOf } from '../name.ts';
import { queryAll, renderedTextOf } from '../native.ts';
import { roleOf } from '../role.ts';

/** Maximum characters of a text in reports. */
const TEXT_LENGTH = 200;
/** Maximum characters of a text that replaces a missing name. */
const NAME_LENGTH = 60;

/**
 * Formats an element for reports by role and name: `dialog "Delete file?"`. Falls back to its heading, then to its
 * text.
 */
export function titleOf(element: Element, role: string = roleOf(element)): string {
  const name =
    nameOf(element) || shownText(queryAll(element, 'h1, h2, h3, h4, legend')[0] ?? element).slice(0, NAME_LENGTH);
  return name === '' ? role : `${role} "${name}"`;
}

/** Returns the rendered text of an element, with white space collapsed and truncated to 200 characters. */
export function shownText(element: Element): string {
  return renderedTextOf(element).replace(/\s+/g, ' ').trim().slice(0, TEXT_LENGTH);
}
