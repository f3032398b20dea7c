import { nameOf } from '../name.ts';
import { queryAll, renderedTextOf } from '../native.ts';
import { roleOf } from '../role.ts';

/** Characters of a text that reports repeat. */
const TEXT_LENGTH = 200;
/** Characters of a text that stands for a name. */
const NAME_LENGTH = 60;

/** An element by role and name in reports: `dialog "Delete file?"`. Without a name, its heading or text stands for it. */
export function titleOf(element: Element, role: string = roleOf(element)): string {
  const name =
    nameOf(element) || shownText(queryAll(element, 'h1, h2, h3, h4, legend')[0] ?? element).slice(0, NAME_LENGTH);
  return name === '' ? role : `${role} "${name}"`;
}

/** The rendered text of an element, white space folded. */
export function shownText(element: Element): string {
  return renderedTextOf(element).replace(/\s+/g, ' ').trim().slice(0, TEXT_LENGTH);
}
