import { collapseSpace } from '../aria/text-builder.ts';
import { nameOf } from '../aria/name.ts';
import { queryAll, renderedTextOf } from '../native.ts';
import { roleOf } from '../aria/role.ts';

/** Maximum characters of text in a report. */
const TEXT_LENGTH = 200;
/** Maximum characters of text used as a name. */
const NAME_LENGTH = 60;

/**
 * For example `dialog "Delete file?"`. An element without a name is named by its first heading, or else by its text.
 */
export function titleOf(element: Element, role: string = roleOf(element)): string {
  const name =
    nameOf(element) || shownText(queryAll(element, 'h1, h2, h3, h4, legend')[0] ?? element).slice(0, NAME_LENGTH);
  return name === '' ? role : `${role} "${name}"`;
}

/** Collapses white space and truncates to 200 characters. */
export function shownText(element: Element): string {
  return collapseSpace(renderedTextOf(element)).trim().slice(0, TEXT_LENGTH);
}
