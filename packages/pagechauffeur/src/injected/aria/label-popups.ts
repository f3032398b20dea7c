import { measured } from '../dependencies.ts';
import { styleOf } from '../styles/computed-style.ts';
import { memoised } from '../memo.ts';
import { checkVisibility, childCountOf, contains, elementCountOf, localNameOf, queryAll } from '../native.ts';
import { itemsServedBy } from '../snapshot/clickable/listened.ts';

/** A label with fewer elements contains only a field and a text. */
const MIN_ELEMENTS = 3;
/** Maximum elements of a label to check. Calendars of a few months have less. */
const MAX_ELEMENTS = 600;
/** Controls of a popup, such as the arrows of a calendar. */
const CONTROLS = 'button, a[href], table, [role="option"], [role="listbox"], [role="grid"], [role="menu"]';

/**
 * Returns the popups that a script inserted into a label, such as the calendar or the suggestions of its field. They are
 * no text of the label. Text with a position, such as a floating label, has no click targets.
 */
export const popupsInLabel: (label: HTMLLabelElement) => ReadonlySet<Element> = memoised((label: HTMLLabelElement) => {
  const { control } = label;
  const count = elementCountOf(label);
  if (!control || count < MIN_ELEMENTS || count > MAX_ELEMENTS) return NONE;
  const popups = new Set<Element>();
  for (const element of queryAll(label, '*')) {
    if (childCountOf(element) === 0 || contains(element, control) || SVG_TAGS.has(localNameOf(element))) continue;
    const isInside = [...popups].some((popup) => contains(popup, element));
    if (!isInside && isShown(element) && isPopup(element, label)) popups.add(element);
  }
  return popups;
});

const NONE: ReadonlySet<Element> = new Set();
const SVG_TAGS: ReadonlySet<string> = new Set(['g', 'svg']);

function isShown(element: Element): boolean {
  return checkVisibility(element, { visibilityProperty: true, opacityProperty: true });
}

function isPopup(element: Element, label: Element): boolean {
  if (itemsServedBy(element) !== null) return true;
  const { position } = styleOf(element);
  return (position === 'absolute' || position === 'fixed') && measured(element, hasTargets, label);
}

/** True for content with controls, or with several elements that have a pointer cursor, unlike the label. */
function hasTargets(popup: Element, label?: Element): boolean {
  if (queryAll(popup, CONTROLS).some((control) => checkVisibility(control))) return true;
  if (label && styleOf(label).cursor === 'pointer') return false;
  return queryAll(popup, '*').filter((element) => styleOf(element).cursor === 'pointer').length > 1;
}
