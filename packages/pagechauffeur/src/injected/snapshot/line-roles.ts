import { attributeOf, hasAttribute } from '../native.ts';

function words(text: string): ReadonlySet<string> {
  return new Set(text.split(' '));
}

/** Roles that shape a page for its reader, with or without a name. */
const structuralRoles = words(
  'alert alertdialog article banner cell columnheader complementary contentinfo definition dialog feed figure form grid gridcell heading ' +
    'list listbox listitem log main marquee menu menubar meter navigation progressbar radiogroup region row rowheader search status table ' +
    'tablist tabpanel term timer toolbar tooltip tree treegrid',
);

/** Roles that say something only when their author named them. */
const namedRoles = words(
  'application audio blockquote canvas document generic group img list math note paragraph rowgroup video',
);

/** Cells hold their column's place even when they are empty; bars show how far something is. */
const placeHoldingRoles = words('cell columnheader gridcell meter progressbar rowheader');

/** Whether an element that cannot be acted on still gets a line of its own. */
export function makesLine(element: Element, role: string, isMarked: boolean): boolean {
  if (structuralRoles.has(role)) return true;
  if (role === 'img') return true;
  if (!isMarked && role !== 'group') return false;
  return (
    namedRoles.has(role) &&
    (hasAttribute(element, 'aria-label') || hasAttribute(element, 'aria-labelledby') || isNamedByTag(element, role))
  );
}

/** Whether the line stays when it has neither name nor anything below it. */
export function holdsPlace(role: string): boolean {
  return placeHoldingRoles.has(role);
}

/** Whether the line's name, unless its author gave one, is the text that a person sees below it. */
export function isNamedBySight(role: string): boolean {
  return sightRoles.has(role);
}

const sightRoles = words('cell columnheader definition gridcell heading listitem row rowheader term tooltip');

function isNamedByTag(element: Element, role: string): boolean {
  return (
    role === 'group' &&
    (element instanceof HTMLFieldSetElement ||
      element instanceof HTMLOptGroupElement ||
      attributeOf(element, 'title') !== null)
  );
}
