import { hasAriaName } from '../../aria/references.ts';
import { attributeOf } from '../../native.ts';

function wordSet(text: string): ReadonlySet<string> {
  return new Set(text.split(' '));
}

/** Roles with their own line even without a name. */
const structuralRoles = wordSet(
  'alert alertdialog article banner cell columnheader complementary contentinfo definition dialog feed figure form grid gridcell heading img ' +
    'list listbox listitem log main marquee menu menubar meter navigation progressbar radiogroup region row rowheader search status table ' +
    'tablist tabpanel term timer toolbar tooltip tree treegrid',
);

/** Roles with their own line only if the author names the element. */
const namedRoles = wordSet(
  'application audio blockquote canvas document generic group math note paragraph rowgroup video',
);

/** Roles whose lines are kept even when empty: cells keep columns aligned, and bars show a value. */
const rolesKeptEmpty = wordSet('cell columnheader gridcell meter progressbar rowheader');

/** True if an element that cannot be acted on still has its own line. */
export function makesLine(element: Element, role: string, isMarked: boolean): boolean {
  if (structuralRoles.has(role)) return true;
  if (!isMarked && role !== 'group') return false;
  return namedRoles.has(role) && (hasAriaName(element) || isNamedByTag(element, role));
}

export function isKeptEmpty(role: string): boolean {
  return rolesKeptEmpty.has(role);
}

/** True if visible text names the element unless the author does. */
export function isNamedByVisibleText(role: string): boolean {
  return rolesNamedByVisibleText.has(role);
}

const rolesNamedByVisibleText = wordSet(
  'cell columnheader definition gridcell heading listitem row rowheader term tooltip',
);

function isNamedByTag(element: Element, role: string): boolean {
  return (
    role === 'group' &&
    (element instanceof HTMLFieldSetElement ||
      element instanceof HTMLOptGroupElement ||
      attributeOf(element, 'title') !== null)
  );
}
